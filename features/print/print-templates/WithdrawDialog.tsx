import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { WITHDRAWAL } from './fields.ts'
import { covers, type TemplateKind } from './rules.ts'
import { audienceFrom, audienceWords, isServed, type TemplateVersion, templatesApi } from './templatesApi.tsx'

type Props = {
  kind: TemplateKind
  id: number
  version: TemplateVersion
  /** All of the template. */
  versions: readonly TemplateVersion[]
  onClose: () => void
}

/** Ends a version, so that the one before is used again, or all of them. */
export function WithdrawDialog({ kind, id, version, versions, onClose }: Props) {
  const { number } = version
  return (
    <FormDialog
      title={`撤回版本 ${number}`}
      submitText="撤回"
      cancelText="不撤回"
      danger
      of={WITHDRAWAL}
      send={async ({ what, reason }) => {
        await templatesApi(kind).withdraw({ id, number: what === 'all' ? null : number, reason })
        toast.success(what === 'all' ? '全部版本已撤回' : `版本 ${number} 已撤回`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['what']} told={{ what: { group: true } }}>
            {{
              what: control => (
                <Choice
                  {...control}
                  look="lines"
                  label={WITHDRAWAL.what.label}
                  options={[
                    { value: 'one' as const, label: `版本 ${number}` },
                    { value: 'all' as const, label: '全部版本' },
                  ]}
                  value={form.draft.what}
                  onChange={what => form.change({ what })}
                />
              ),
            }}
          </FormFields>
          <FormNote>{outcomeOf(form.draft.what, version, versions)}</FormNote>
          <FormFields form={form} only={['reason']} />
        </>
      )}
    </FormDialog>
  )
}

function outcomeOf(
  what: 'one' | 'all' | null,
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
