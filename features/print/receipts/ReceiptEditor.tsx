import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TEMPLATE_FIELDS } from '#features/print/print-templates/fields.ts'
import { TEMPLATE_LIMITS } from '#features/print/print-templates/rules.ts'
import type { Paper, Sheet } from '#kit/print/receipt.ts'
import { SHEETS } from '#kit/print/receipt.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Check, Switch } from '#web/form/Check.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { type Uploads, useUploads } from '#web/form/files/uploads.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { Tabs } from '#web/form/Tabs.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { BlockPreview } from './BlockPreview.tsx'
import { GroupChooser } from './GroupChooser.tsx'
import { isUploaded } from './LogoField.tsx'
import { PlacedTabs } from './PlacedTabs.tsx'
import styles from './receipts.module.css'
import { type GroupRow, LIST_PATH, type ReceiptDetails, receiptsApi } from './receiptsApi.tsx'
import { useLogos } from './useLogos.tsx'
import { type Draft, useChosen, usePlaced, useReceiptForm } from './useReceiptDraft.tsx'

type Props = {
  title: string
  receipt: ReceiptDetails | null
  groups: readonly GroupRow[]
  mayEdit: boolean
}

/** A receipt is put together of groups: its preview at the left, what each group shows at the right (D3 §2, §5). */
export function ReceiptEditor({ title, receipt, groups, mayEdit }: Props) {
  const navigate = useNavigate()
  const [sheet, setSheet] = useState<Sheet>('ordinary')
  const back = () => void navigate({ to: LIST_PATH })
  const uploads = useUploads()
  const form = useReceiptForm({ receipt, groups, onDone: back })
  const chosen = useChosen(form.draft.content)
  useLeaveGuard(form.isUnsaved, { draws: true })
  return (
    // No form: Enter in the search of groups would send it.
    <div>
      <h1 className={look.pageTitle}>{title}</h1>
      <Head form={form} />
      <Tabs
        shown={sheet}
        onChange={key => setSheet(key as Sheet)}
        tabs={(['ordinary', 'wide'] as const).map(key => ({
          key,
          label: SHEETS[key],
          content: <Working {...{ form, groups, mayEdit, chosen, uploads }} sheet={key} />,
        }))}
      />
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      {form.busy && (
        <p className={styles.overlay} role="status">
          正在保存
        </p>
      )}
      <div className={styles.foot}>
        <ActionBar>
          <Button onClick={back}>返回列表</Button>
          {mayEdit && (
            <Button
              kind="primary"
              busy={form.busy}
              onClick={() => void (isUploaded(uploads) && form.submit())}
            >
              保存
            </Button>
          )}
        </ActionBar>
      </div>
    </div>
  )
}

function Head({ form }: { form: Form<Draft> }) {
  const { industryIds, content } = form.draft
  const industries = useQuery(receiptsApi.industries.query())
  const offered = industries.data?.rows.filter(({ id, offered }) => offered || industryIds.includes(id)) ?? []
  return (
    <div className={styles.editHead}>
      <TextField
        form={form}
        name="name"
        label={TEMPLATE_FIELDS.name.label}
        required
        maxLength={TEMPLATE_LIMITS.name}
        count={TEMPLATE_LIMITS.name}
      />
      <Field form={form} name="enableMakeUp" label="补打" hint="补打的小票顶部印“（补打）”">
        {control => (
          <Switch
            {...control}
            checked={content.enableMakeUp}
            onChange={enableMakeUp => form.change({ content: { ...content, enableMakeUp } })}
          >
            支持补打
          </Switch>
        )}
      </Field>
      <Field
        form={form}
        name="industryIds"
        label={TEMPLATE_FIELDS.industryNames.label}
        group
        wide
        hint="不选表示全部行业"
      >
        {control => (
          <div id={control.id} className={styles.industries}>
            {industries.isLoading && <span role="status">正在加载行业</span>}
            {industries.isError && <span>行业没有加载成功，请刷新页面</span>}
            {offered.map(({ id, name }) => (
              <Check
                key={id}
                checked={industryIds.includes(id)}
                onChange={checked =>
                  form.change({
                    industryIds: checked ? [...industryIds, id] : industryIds.filter(one => one !== id),
                  })
                }
              >
                {name}
              </Check>
            ))}
          </div>
        )}
      </Field>
    </div>
  )
}

type WorkingProps = {
  form: Form<Draft>
  sheet: Sheet
  groups: readonly GroupRow[]
  mayEdit: boolean
  chosen: ReturnType<typeof useChosen>
  uploads: Uploads
}
const ROLLS = [58, 76, 80, 110] as const

function Working({ form, sheet, groups, mayEdit, chosen, uploads }: WorkingProps) {
  const placing = usePlaced(form, sheet, chosen)
  const logos = useLogos(form.draft.content)
  const [roll, setRoll] = useState<Paper>(80)
  const footers = groups.filter(({ section }) => section === 'footer')
  return (
    <div className={styles.working} data-sheet={sheet}>
      <section className={styles.left} aria-label="小票预览">
        {sheet === 'ordinary' && (
          <Choice
            label="预览纸宽"
            options={ROLLS.map(value => ({ value: value as Paper, label: `${value}mm` }))}
            value={roll}
            onChange={setRoll}
          />
        )}
        <BlockPreview
          content={form.draft.content}
          paper={sheet === 'wide' ? 210 : roll}
          placing={placing}
          mayEdit={mayEdit}
        />
      </section>
      <div className={styles.right}>
        <PlacedTabs {...{ placing, groups, mayEdit, logos }} onBusy={uploads.at(sheet)} />
        {mayEdit && (
          <section aria-labelledby="groups-title">
            <h2 id="groups-title" className={look.sectionTitle}>
              信息分组
            </h2>
            {sheet === 'wide' && footers.length > 0 && (
              <p className={styles.note}>
                {footers.map(({ name }) => name).join('、')}
                只能放在A5小票模板：它印在卷纸小票的最下方，210mm 整张纸不打印这一块。
              </p>
            )}
            <GroupChooser groups={groups} sheet={sheet} placing={placing} />
          </section>
        )}
      </div>
      <p className={look.visuallyHidden} aria-live="polite">
        {placing.said}
      </p>
    </div>
  )
}
