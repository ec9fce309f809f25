import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Switch } from '#web/form/Check.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { CountInput } from '#web/form/NumberField.tsx'
import { useForm } from '#web/form/useForm.ts'
import { UnreadContext } from '#web/form/useUnread.ts'
import type { factors } from './contract.ts'
import styles from './factors.module.css'
import { FACTOR_REFUSALS, type GivenRule, GRACE_DAYS_MAX, RULE_NAMES } from './rules.ts'

const factorsApi = api<typeof factors>('factors')

/** Who must have a second factor. */
export default function SecuritySettingsPage() {
  const kept = useQuery(factorsApi.rules.query())
  return (
    <div className={`${look.page} ${styles.settings}`}>
      <h1 className={look.pageTitle}>安全设置</h1>
      <section aria-labelledby="rules-title">
        <h2 id="rules-title" className={look.sectionTitle}>
          必须使用二次验证
        </h2>
        <p className={look.quiet}>宽限期内提醒，期满仍未设置的账号只能打开设置页面。新账号从创建之日起算</p>
        {kept.isError && <p role="alert">{messageOf(kept.error)}</p>}
        {kept.data && <Rules key={kept.dataUpdatedAt} kept={kept.data} />}
      </section>
    </div>
  )
}

function Rules({ kept }: { kept: Out<typeof factors.rules> }) {
  // No fields: a row for each kind of account, whose fields are cells.
  const form = useForm({
    initial: kept,
    judge: ({ rules }) =>
      rules
        .filter(({ graceDays }) => graceDays > GRACE_DAYS_MAX)
        .map(({ kind }) => ({ field: kind, message: FACTOR_REFUSALS.GRACE_FORMAT })),
    send: draft => factorsApi.setRules(draft),
    onDone: async () => {
      toast.success('已保存')
      await reread()
    },
  })
  useLeaveGuard(form.isUnsaved)
  const { rules } = form.draft
  const change = (kind: GivenRule['kind'], changed: Partial<GivenRule>) =>
    form.change({ rules: rules.map(rule => (rule.kind === kind ? { ...rule, ...changed } : rule)) })
  return (
    <FormElement onSubmit={() => void form.submit()}>
      <ul className={styles.rules}>
        {rules.map(({ kind, required, graceDays }) => (
          <li key={kind}>
            <Switch checked={required} onChange={next => change(kind, { required: next })}>
              {RULE_NAMES[kind]}
            </Switch>
            <span className={styles.grace}>
              宽限
              <UnreadContext value={told => form.unread(kind, told)}>
                <CountInput
                  id={form.idOf(kind)}
                  label="宽限天数"
                  aria-label={`${RULE_NAMES[kind]}的宽限天数`}
                  aria-invalid={form.messageOf(kind) !== null}
                  inputMode="numeric"
                  value={graceDays}
                  blank={0}
                  onBlur={() => form.touch(kind)}
                  onChange={days => change(kind, { graceDays: days ?? 0 })}
                />
              </UnreadContext>
              天
            </span>
          </li>
        ))}
      </ul>
      <p role="alert">
        {form.message ?? rules.map(({ kind }) => form.messageOf(kind)).find(told => told !== null)}
      </p>
      <Button kind="primary" type="submit" busy={form.busy} disabled={form.dirty ? null : '没有修改'}>
        保存
      </Button>
    </FormElement>
  )
}
