import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { covers, TEMPLATE_LIMITS, TEMPLATE_REFUSALS, type TemplateKind } from './rules.ts'
import { audienceFrom, audienceWords, isServed, type TemplateVersion, templatesApi } from './templatesApi.tsx'

type Props = {
  kind: TemplateKind
  id: number
  version: TemplateVersion
  /** All of the template. */
  versions: readonly TemplateVersion[]
  onClose: () => void
}
type Draft = { what: 'one' | 'all'; reason: string }

/** Ends a version, so that the one before is used again, or all of them. */
export function WithdrawDialog({ kind, id, version, versions, onClose }: Props) {
  const { number } = version
  return (
    <FormDialog<Draft>
      title={`撤回版本 ${number}`}
      submitText="撤回"
      cancelText="不撤回"
      danger
      initial={{ what: 'one', reason: '' }}
      refuse={({ reason }) =>
        [...reason.trim()].length > TEMPLATE_LIMITS.reason
          ? { field: 'reason', message: TEMPLATE_REFUSALS.REASON_TOO_LONG }
          : null
      }
      onSubmit={async ({ what, reason }) => {
        await templatesApi(kind).withdraw({ id, number: what === 'all' ? null : number, reason })
        toast.success(what === 'all' ? '全部版本已撤回' : `版本 ${number} 已撤回`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <ChoiceField
            form={form}
            name="what"
            label="撤回"
            look="lines"
            options={[
              { value: 'one', label: `版本 ${number}` },
              { value: 'all', label: '全部版本' },
            ]}
          />
          <FormNote>{outcomeOf(form.draft.what, version, versions)}</FormNote>
          <TextField
            form={form}
            name="reason"
            label="原因"
            rows={2}
            count={TEMPLATE_LIMITS.reason}
            placeholder="可选，记入历史"
          />
        </>
      )}
    </FormDialog>
  )
}

function outcomeOf(
  what: Draft['what'],
  version: TemplateVersion,
  versions: readonly TemplateVersion[],
): string {
  if (what === 'all') return '所有店铺都不再有这个模板，草稿和历史保留。'
  const whom = audienceWords(version.audience)
  const lost = `${whom}不再使用版本 ${version.number}`
  // Also what it superseded, which is used again.
  const before = versions.filter(
    one =>
      one.number < version.number &&
      one.withdrawnAt === null &&
      (isServed(one) || one.supersededBy === version.number),
  )
  const audience = audienceFrom(version.audience)
  const [next] = before
  if (!next) return `${lost}，不再有这个模板。`
  const whole = before.find(one => covers(audienceFrom(one.audience), audience))
  return whole
    ? `${lost}，改用版本 ${whole.number}。`
    : `${lost}；属于版本 ${next.number} 范围的改用版本 ${next.number}，其余不再有这个模板。`
}
