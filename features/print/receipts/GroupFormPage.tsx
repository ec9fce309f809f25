import { useQuery } from '@tanstack/react-query'
import type { To } from '#kit/declare/pages.ts'
import { SECTION_KEYS, SECTIONS, type Section } from '#kit/print/receipt.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useForm } from '#web/form/useForm.ts'
import { GROUP_FIELDS } from './fields.ts'
import { GroupItems } from './GroupItems.tsx'
import styles from './receipts.module.css'
import { type GroupRow, idOf, LIST_PATH, receiptsApi } from './receiptsApi.tsx'
import { brokenIn, completed, GROUP_LIMITS, type GroupForm, RECEIPT_REFUSALS, tagsOf } from './rules.ts'

/** A new group, or one that is there (`?id=`). */
export default function GroupFormPage() {
  const [{ id: asked }] = usePageSearch<'/admin/template/createGroup'>()
  const id = idOf(asked)
  const mayEdit = usePermission('receipts.edit')
  const groups = useQuery(receiptsApi.groups.query())
  const group = id === null ? null : groups.data?.rows.find(row => row.id === id)
  return (
    <TouchControls>
      <div className={look.page}>
        <h1 className={look.pageTitle}>{id === null ? '新增信息分组' : '编辑信息分组'}</h1>
        {groups.isError ? (
          <LoadFailure error={groups.error} onRetry={() => void groups.refetch()} />
        ) : !groups.data ? (
          <LoadingLines lines={12} />
        ) : group === undefined || !mayEdit ? (
          <EmptyState title={mayEdit ? '分组不存在或已被删除' : '您没有编辑分组的权限'} role="alert" />
        ) : (
          <Edit key={`${id} ${group?.revision}`} group={group} />
        )}
      </div>
    </TouchControls>
  )
}

const BACK: To<typeof LIST_PATH> = { to: LIST_PATH, search: { tab: 'groups' } }

function Edit({ group }: { group: GroupRow | null }) {
  const navigate = useNavigate()
  // No fields: a designer: what is drawn is its draft.
  const form = useForm<GroupForm>({
    initial: group
      ? { ...pickForm(group), items: completed(group.section, group.items) }
      : { name: '', section: 'basic', tags: '', remarks: '', items: completed('basic', []) },
    judge: draft => brokenIn(draft).map(({ code, field }) => ({ field, message: RECEIPT_REFUSALS[code] })),
    send: (draft, idempotencyKey) =>
      receiptsApi.saveGroup(
        { ...draft, id: group?.id ?? null, revision: group?.revision ?? null },
        { idempotencyKey },
      ),
    onDone: () => {
      toast.success('保存成功')
      void navigate(BACK)
    },
  })
  useLeaveGuard(form.isUnsaved, { draws: true })
  const { section, tags } = form.draft
  const choose = (chosen: Section) => form.change({ section: chosen, items: completed(chosen, []) })
  return (
    <FormElement className={styles.form} onSubmit={() => void form.submit()}>
      <FormGrid>
        <TextField
          form={form}
          name="name"
          label={GROUP_FIELDS.name.label}
          required
          maxLength={GROUP_LIMITS.name}
          count={GROUP_LIMITS.name}
        />
        <Field
          form={form}
          name="section"
          label={GROUP_FIELDS.sectionName.label}
          required
          hint="决定分组里可以有哪些内容"
        >
          {control => (
            <Select
              {...control}
              value={section}
              options={SECTION_KEYS.map(value => ({ value, label: SECTIONS[value] }))}
              onChange={value => value && choose(value)}
            />
          )}
        </Field>
      </FormGrid>
      <TextField
        form={form}
        name="tags"
        label={GROUP_FIELDS.tags.label}
        count={GROUP_LIMITS.tags}
        hint={
          tagsOf(tags).length > 0
            ? `${tagsOf(tags).length} 个标签：${tagsOf(tags).join('、')}`
            : '多个标签用逗号分开，如：餐饮，堂食'
        }
      />
      <TextField
        form={form}
        name="remarks"
        label={GROUP_FIELDS.remarks.label}
        rows={2}
        maxLength={GROUP_LIMITS.remarks}
        count={GROUP_LIMITS.remarks}
      />
      <Field
        form={form}
        name="items"
        label="分组内容"
        group
        hint="勾选的内容在小票上始终显示，未勾选的可以在模板里隐藏"
      >
        {control => (
          <div id={control.id}>
            <GroupItems items={form.draft.items} onChange={items => form.change({ items })} />
          </div>
        )}
      </Field>
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      {form.busy && <p role="status">正在保存</p>}
      <ActionBar>
        <Button onClick={() => void navigate(BACK)}>返回列表</Button>
        <Button kind="primary" type="submit" busy={form.busy}>
          保存
        </Button>
      </ActionBar>
    </FormElement>
  )
}

const pickForm = ({ name, section, tags, remarks }: GroupRow) => ({ name, section, tags, remarks })
