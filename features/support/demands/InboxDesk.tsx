import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents, formatCount } from '#kit/money.ts'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { DeadlinePicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { DemandFacts, DemandText } from './DemandFacts.tsx'
import styles from './demands.module.css'
import { type DemandDetails, type DemandOptions, demandsApi, formSearch } from './demandsApi.tsx'
import { ASSESSMENT, DEMAND_FIELDS } from './fields.ts'
import {
  CLIENTS,
  changedIn,
  DEMAND_REFUSALS,
  FORM_PATH,
  PRIORITIES,
  refuseAssessment,
  refuseChange,
  TYPES,
  WEIGHT_WORDS,
} from './rules.ts'

/** A demand over the inbox: what is asked for, and what becomes of it. */
export default function InboxDesk({ item: { id, title }, onClose }: InboxDeskProps) {
  const mayEdit = usePermission('demands.edit')
  const details = useQuery(demandsApi.details.query({ id }))
  const options = useQuery(demandsApi.options.query())
  const demand = details.data
  if (demand && options.data && mayEdit && refuseChange(demand) === null)
    return <Assessment demand={demand} options={options.data} onClose={onClose} />
  const failed = [details, options].find(({ isError }) => isError)
  const refusal = demand && refuseChange(demand)
  return (
    <Dialog
      title={demand?.title ?? title}
      width={640}
      onClose={onClose}
      footer={<CloseButton>关闭</CloseButton>}
    >
      {failed ? (
        <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
      ) : refusal ? (
        <DialogText>{DEMAND_REFUSALS[refusal]}</DialogText>
      ) : demand && !mayEdit ? (
        <div className={styles.assessed}>
          <DemandFacts demand={demand} />
          <DemandText demand={demand} />
        </div>
      ) : (
        <LoadingLines lines={8} />
      )}
    </Dialog>
  )
}

type Props = { demand: DemandDetails; options: DemandOptions; onClose: () => void }

function Assessment({ demand, options, onClose }: Props) {
  // What was shown is what is changed; a colleague's change of the rest is kept.
  const [seen] = useState(demand)
  const [now] = useState(Date.now)
  const { id } = demand
  return (
    <FormDialog
      title={demand.title}
      submitText="保存"
      width={640}
      of={ASSESSMENT}
      known={seen}
      refuse={draft => {
        const broken = refuseAssessment(seen, draft, Date.now())
        return broken && { field: broken.field, message: broken.message }
      }}
      send={async draft => {
        const answer = await demandsApi.change({ ids: [id], ...changedIn(seen, draft) })
        const refusal = answer.rows[0]?.refusal
        if (refusal) {
          toast.warning(refusal)
          readAgain('demands')
        } else toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <div className={styles.assessed}>
            <Asked demand={demand} />
            <DemandText demand={demand} />
            <Link className={buttonLook('link')} to={FORM_PATH} search={formSearch(id)}>
              打开需求详情
            </Link>
          </div>
          <FormFields form={form}>
            {{
              ownerId: control => (
                <Select
                  {...control}
                  value={form.draft.ownerId ?? undefined}
                  options={options.owners.map(({ id: ownerId, name }) => ({ value: ownerId, label: name }))}
                  onChange={ownerId => form.change({ ownerId: ownerId ?? null })}
                />
              ),
              priority: control => (
                <Select
                  {...control}
                  value={form.draft.priority ?? undefined}
                  options={optionsOf(PRIORITIES)}
                  onSearch={null}
                  onChange={priority => form.change({ priority: priority ?? null })}
                />
              ),
              deadline: control => (
                <DeadlinePicker
                  {...control}
                  now={now}
                  value={form.draft.deadline}
                  onChange={deadline => form.change({ deadline })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

/** Who asks for it, since when, and what that weighs; what the form shows is not said twice. */
function Asked({ demand }: Pick<Props, 'demand'>) {
  return (
    <Facts>
      <Fact label="店铺">
        {demand.shopName}（{demand.merchantId}）
      </Fact>
      <Fact label={DEMAND_FIELDS.type.label}>
        {TYPES[demand.type]} · {CLIENTS[demand.client]}
      </Fact>
      <Fact label={DEMAND_FIELDS.path.label}>{demand.path}</Fact>
      <Fact label={DEMAND_FIELDS.weight.label}>
        <span data-tip={WEIGHT_WORDS}>
          {formatCount(demand.weight)}（{formatCount(demand.shops)} 家店铺，12 个月内续费{' '}
          {formatCents(demand.renewalCents)} 代币）
        </span>
      </Fact>
      <Fact label="提交">
        {demand.createdByName} <Instant at={demand.createdAt} toMinute />
      </Fact>
    </Facts>
  )
}
