import { useQuery } from '@tanstack/react-query'
import { shareRisks } from '#features/office/prices/rules.ts'
import { savedShareQuestion } from '#features/office/prices/savedPrice.tsx'
import { AgentsField, type Named, NamedField } from '#features/sales/catalogue/ChosenField.tsx'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { priceDesk } from './contract.ts'
import { DISCOUNT, LEVEL, LEVEL_CHANGE_FIELDS } from './fields.ts'
import { DISCOUNT_REFUSALS, refuseShare, refuseStart, shareOf } from './rules.ts'
import { NOW, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

/** One of the two. */
type Whom = Start & { levels: readonly Named[]; agents: readonly Named[] }

/** What a level or an agent pays from now or a moment on. An agent's own is taken back by leaving the number out. */
export default function DiscountDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  return (
    <FormDialog<typeof DISCOUNT, Whom>
      title="设置折扣"
      submitText="设置折扣"
      of={DISCOUNT}
      more={{ ...NOW, levels: [], agents: [] }}
      refuse={values => {
        const { whom } = values
        const chosen = `${whom}s` as const
        if (values[chosen].length === 0) return { field: chosen, message: DISCOUNT_REFUSALS.WHOM_REQUIRED }
        const ends = whom === 'agent' && values.share === ''
        if (!ends && refuseShare(shareOf(values.share)))
          return { field: 'share', message: DISCOUNT_REFUSALS.DISCOUNT_FORMAT }
        const start = refuseStart(startOf(values), new Date().toISOString())
        return start && { field: 'startsAt', message: DISCOUNT_REFUSALS[start] }
      }}
      question={({ share }) => savedShareQuestion(share === '' ? null : shareOf(share))}
      send={async values => {
        const { whom, levels, agents, book, share } = values
        await priceDeskApi.setDiscount({
          levelId: whom === 'level' ? (levels[0]?.id ?? null) : null,
          agentId: whom === 'agent' ? (agents[0]?.id ?? null) : null,
          book: book === 'all' ? null : book,
          basisPoints: share === '' ? null : shareOf(share),
          startsAt: startOf(values),
          answered: shareRisks(share === '' ? null : shareOf(share)),
        })
        toast.success('设置成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['whom']} />
          {form.draft.whom === 'level' ? (
            <NamedField
              form={form}
              name="levels"
              label={LEVEL.id.label}
              known={choices.data?.levels}
              one
              none="请选择"
              required
            />
          ) : (
            <AgentsField
              form={form}
              name="agents"
              label={LEVEL_CHANGE_FIELDS.agentName.label}
              one
              none="请选择"
              required
            />
          )}
          <FormFields
            form={form}
            only={['book', 'share']}
            told={{
              share: {
                unit: '折',
                placeholder:
                  form.draft.whom === 'agent' ? '如 6.5；不填为恢复等级折扣' : '如 6.5；10 为无折扣',
              },
            }}
          />
          <StartField form={form} />
          <FormNote>代理商的专属折扣优先于等级折扣，指定价格册的优先于全部的。</FormNote>
        </>
      )}
    </FormDialog>
  )
}
