import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { priceDesk } from './contract.ts'
import { PRICE_CAMPAIGNS } from './fields.ts'
import { CAMPAIGN_REFUSALS } from './rules.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const CampaignDialog = lazy(() => import('./CampaignDialog.tsx'))

type Row = Out<typeof priceDesk.campaigns>['rows'][number]

/** What is given for a time, on what and to whom. */
export default function CampaignsPage() {
  const maySet = usePermission('priceDesk.setCampaign')
  const [adding, setAdding] = useState(false)
  const ending = useMutation({
    mutationFn: ({ id }: Row) => priceDeskApi.endCampaign({ id }),
    onSuccess: () => toast.success('促销已结束'),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const end = async (row: Row) => {
    const text = '从现在起按原价销售；已出的报价仍按优惠价成交，直到过期。'
    if (await confirm({ title: `结束促销“${row.name}”？`, text, confirmText: '结束促销', danger: true }))
      ending.mutate(row)
  }
  const add = maySet && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      新增促销
    </Button>
  )
  return (
    <>
      <List
        of={PRICE_CAMPAIGNS}
        from={priceDeskApi.campaigns}
        main={add}
        emptyAction={add || undefined}
        rowActions={
          maySet
            ? row => [
                {
                  key: 'end',
                  label: '结束',
                  danger: true,
                  disabled: row.campaignState === 'ended' ? CAMPAIGN_REFUSALS.IS_ENDED : undefined,
                  onClick: () => void end(row),
                },
              ]
            : undefined
        }
        actionsWidth={80}
      />
      {adding && (
        <Suspense>
          <CampaignDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}
