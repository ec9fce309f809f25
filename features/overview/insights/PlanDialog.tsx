import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import type { insights } from './contract.ts'
import { planFields } from './fields.ts'
import styles from './income.module.css'
import { INCOME, type IncomeKind, monthsOfYear, PLAN_REFUSALS, planSum, refusePlan, spread } from './rules.ts'
import { Section } from './Section.tsx'

const insightsApi = api<typeof insights>('insights')
type Plan = Out<typeof insights.plan>

type Form = FormOf<ReturnType<typeof planFields>>
const PLACES = Array.from({ length: 12 }, (_, at) => at)
const MONTHS = PLACES.map(at => `m${at}`)

type Props = { kind: IncomeKind; year: number; onClose: () => void }

/** What is planned of a kind of income for each month of a year, and who changed it. */
export default function PlanDialog({ kind, year, onClose }: Props) {
  const title = `${INCOME[kind].name} ${year} 年计划`
  const maySet = usePermission('insights.plan')
  const plan = useQuery({ ...insightsApi.plan.query({ kind, year }), gcTime: 0, refetchOnWindowFocus: false })
  if (plan.data && maySet)
    return <PlanForm title={title} kind={kind} year={year} plan={plan.data} onClose={onClose} />
  return (
    <Dialog title={title} width={640} onClose={onClose} footer={<CloseButton>关闭</CloseButton>}>
      {plan.isError ? (
        <LoadFailure error={plan.error} onRetry={() => void plan.refetch()} />
      ) : plan.data ? (
        <Changes plan={plan.data} unit={INCOME[kind].unit} />
      ) : (
        <LoadingLines />
      )}
    </Dialog>
  )
}

const centsOf = (text = '') => (text.trim() === '' ? null : (parseCents(text) ?? Number.NaN))
const textOf = (cents: number | null | undefined) => (cents == null ? '' : formatCents(cents))

function PlanForm({ title, kind, year, plan, onClose }: Props & { title: string; plan: Plan }) {
  const { unit } = INCOME[kind]
  const months = monthsOfYear(year)
  return (
    <FormDialog
      title={title}
      submitText="保存计划"
      width={760}
      of={planFields(months)}
      known={Object.fromEntries(PLACES.map(at => [`m${at}`, textOf(plan.months[at])]))}
      refuse={values =>
        PLACES.flatMap(at => {
          const code = refusePlan(centsOf(values[`m${at}`]))
          return code ? [{ field: `m${at}`, message: PLAN_REFUSALS[code] }] : []
        })
      }
      send={async values => {
        const { changed } = await insightsApi.setPlan({
          kind,
          year,
          months: PLACES.map(at => centsOf(values[`m${at}`])),
          revision: plan.revision,
        })
        toast.success(changed === 0 ? '计划没有变化' : `已保存 ${changed} 个月的计划`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Spread form={form} unit={unit} />
          <div className={styles.plan}>
            <FormFields
              form={form}
              only={MONTHS}
              told={Object.fromEntries(MONTHS.map(month => [month, { unit }]))}
            />
          </div>
          <FormNote>
            全年合计 <Total form={form} /> {unit}。留空为不计划。
          </FormNote>
          <Changes plan={plan} unit={unit} />
        </>
      )}
    </FormDialog>
  )
}

function Total({ form }: { form: Form }) {
  const cents = PLACES.map(at => centsOf(form.draft[`m${at}`]))
  const sum = planSum(cents.map(value => (Number.isNaN(value) ? null : value)))
  return <b className={look.number}>{sum === null ? '—' : formatCents(sum)}</b>
}

/** A year's sum as twelve months. */
function Spread({ form, unit }: { form: Form; unit: string }) {
  const cents = centsOf(form.draft.whole)
  const isSum = cents !== null && refusePlan(cents) === null
  return (
    <div className={styles.spread}>
      <FormFields form={form} only={['whole']} told={{ whole: { unit } }} />
      <Button
        disabled={isSum ? null : '请先输入全年的数额'}
        onClick={() => {
          if (isSum)
            form.change(Object.fromEntries(spread(cents).map((part, at) => [`m${at}`, formatCents(part)])))
        }}
      >
        平均分到各月
      </Button>
    </div>
  )
}

function Changes({ plan, unit }: { plan: Plan; unit: string }) {
  const shown = (cents: number | null) => (cents === null ? '未计划' : formatCents(cents))
  return (
    <Section label="变更记录" title="变更记录" heading="h3">
      {plan.changes.length === 0 ? (
        <p className={look.quiet}>还没有计划过</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself.
        <ol className={styles.changes} tabIndex={0} aria-label="计划的变更记录">
          {plan.changes.map(change => (
            <li key={change.id}>
              <b>{change.month}</b>
              <span>
                {shown(change.beforeCents)} → {shown(change.cents)} {change.cents !== null && unit}
              </span>
              <span className={look.quiet}>
                {change.setByName} 于 {formatInstant(change.setAt)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
