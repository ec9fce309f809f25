import { lazy } from 'react'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { type DemandDetails, DemandState } from './demandsApi.tsx'
import { DEMAND_FIELDS } from './fields.ts'
import { CLIENTS, PRIORITIES, TYPES } from './rules.ts'

const RichText = lazy(() => import('#web/rich/RichText.tsx'))

type Props = { demand: DemandDetails }

/** What is known of a demand. */
export function DemandFacts({ demand }: Props) {
  return (
    <Facts>
      <Fact label={DEMAND_FIELDS.status.label}>
        <DemandState status={demand.status} />
      </Fact>
      <Fact label={DEMAND_FIELDS.path.label}>{demand.path}</Fact>
      <Fact label="店铺">
        {demand.shopName}（{demand.merchantId}）
      </Fact>
      <Fact label={DEMAND_FIELDS.ownerName.label}>{demand.ownerName}</Fact>
      <Fact label={DEMAND_FIELDS.priority.label}>{PRIORITIES[demand.priority]}</Fact>
      <Fact label={DEMAND_FIELDS.type.label}>{TYPES[demand.type]}</Fact>
      <Fact label={DEMAND_FIELDS.client.label}>{CLIENTS[demand.client]}</Fact>
      <Fact label={DEMAND_FIELDS.industryName.label}>{demand.industryName}</Fact>
      <Fact label={DEMAND_FIELDS.deadline.label}>
        <Instant at={demand.deadline} toMinute />
      </Fact>
      <Fact label="提交">
        {demand.createdByName} <Instant at={demand.createdAt} toMinute />
      </Fact>
    </Facts>
  )
}

/** What was written about it. */
export function DemandText({ demand }: Props) {
  if (demand.description === '') return <p className={look.quiet}>没有备注</p>
  return (
    <Suspense fallback={<LoadingLines lines={4} />}>
      <RichText html={demand.description} />
    </Suspense>
  )
}
