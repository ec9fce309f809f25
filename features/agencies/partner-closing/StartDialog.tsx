import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { CAMPAIGN_STATUSES } from '#features/care/campaigns/rules.ts'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import styles from './closing.module.css'
import type { partnerClosing } from './contract.ts'
import { CLOSING, CLOSING_FIELDS } from './fields.ts'

const closingApi = api<typeof partnerClosing>('partnerClosing')

type Rehearsal = Out<typeof partnerClosing.rehearse>
type Props = { agentId: number | undefined; onStarted: (id: number) => void; onClose: () => void }

/** Which partner ends and who takes its shops, rehearsed before it begins. */
export default function StartDialog({ agentId, onStarted, onClose }: Props) {
  const rehearsed = useRef<Rehearsal | null>(null)
  return (
    <FormDialog
      title="办理停止合作"
      submitText="开始停止合作"
      danger
      width={640}
      of={CLOSING}
      known={{ ...(agentId !== undefined && { agentId }) }}
      refuse={() => {
        const [block] = rehearsed.current?.blocks ?? []
        return block ? { field: 'agentId', message: block.message } : null
      }}
      question={() => questionOf(rehearsed.current)}
      send={async values => {
        const { id } = await closingApi.start(values).catch((error: unknown) => {
          readAgain('partnerClosing')
          throw error
        })
        toast.success('已开始，商户正在转移')
        await reread()
        onStarted(id)
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => {
        const { draft } = form
        return (
          <>
            <FormFields form={form} only={['agentId', 'takerId']}>
              {{
                agentId: ({ id }) => (
                  <AgentPicker
                    id={id}
                    value={draft.agentId ?? undefined}
                    placeholder="请选择"
                    onChange={chosen => form.change({ agentId: chosen ?? null })}
                  />
                ),
                takerId: ({ id }) => (
                  <AgentPicker
                    id={id}
                    value={draft.takerId ?? undefined}
                    placeholder="其他合作伙伴，或运营商"
                    onChange={chosen => form.change({ takerId: chosen ?? null })}
                  />
                ),
              }}
            </FormFields>
            <RehearsalOf
              agentId={draft.agentId ?? undefined}
              takerId={draft.takerId ?? undefined}
              onRehearsed={found => {
                rehearsed.current = found
              }}
            />
            <FormFields
              form={form}
              only={['balances', 'reason']}
              told={{ reason: { label: CLOSING_FIELDS.reason.label } }}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

function questionOf(rehearsed: Rehearsal | null) {
  const ended = rehearsed?.campaigns.length ?? 0
  const cancelled = ended === 0 ? '' : `${formatCount(ended)} 个未发完的短信群发将取消。`
  return {
    title: `停止与「${rehearsed?.partner.companyName}」的合作？`,
    text: `${formatCount(rehearsed?.figures.shops ?? 0)} 家商户将转给「${rehearsed?.taker?.companyName}」，其人员即刻只能查看，全部转移后不能再登录。${cancelled}开始后可以暂停，已转移的商户不会退回。`,
    confirmText: '开始停止合作',
    danger: true,
  }
}

type Wanted = {
  agentId: number | undefined
  takerId: number | undefined
  onRehearsed: (found: Rehearsal | null) => void
}

/** What would move, end and stay, as things stand now. */
function RehearsalOf({ agentId, takerId, onRehearsed }: Wanted) {
  const rehearsal = useQuery({
    ...closingApi.rehearse.query({
      agentId: agentId ?? 0,
      ...(takerId === undefined ? {} : { takerId }),
    }),
    enabled: agentId !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const data = agentId === undefined ? undefined : rehearsal.data
  onRehearsed(rehearsal.isPlaceholderData ? null : (data ?? null))
  if (!data) return null
  const { figures, campaigns } = data
  const facts: [string, string][] = [
    [
      '商户',
      `${formatCount(figures.shops)} 家（总店 ${formatCount(figures.heads)}，分店 ${formatCount(figures.branches)}）`,
    ],
    [
      '有效期',
      `未到期 ${formatCount(figures.running)}，永久 ${formatCount(figures.permanent)}，已到期 ${formatCount(figures.expired)}，随商户转移`,
    ],
    ['增值服务', `${formatCount(figures.services)} 项，随商户转移`],
    ['商户短信', `${formatCount(figures.shopSms)} 条，随商户转移`],
    ['待支付报价', `${formatCount(figures.quotes)} 笔，将失效`],
    ['未付款在线续费', `${formatCount(figures.unpaidRenewals)} 笔，将失效`],
    [
      '短信群发',
      campaigns.length === 0 ? '没有未发完的' : `${formatCount(campaigns.length)} 个未发完，将取消`,
    ],
    ['代币余额', `${formatCents(figures.tokenCents)} 代币`],
    ['短信余额', `${formatCount(figures.sms)} 条`],
    ['人员', `${formatCount(figures.people)} 人，全部下线`],
    ['接口密钥', `${formatCount(figures.keys)} 个，全部失效`],
    ['自有收款账户', `${formatCount(figures.ownAccounts)} 个，停止收款`],
  ]
  return (
    <section className={styles.rehearsal} aria-label="预演">
      <h3>预演</h3>
      <Facts>
        {facts.map(([name, text]) => (
          <Fact key={name} label={name}>
            {text}
          </Fact>
        ))}
      </Facts>
      {campaigns.length > 0 && (
        <ul className={styles.ending} aria-label="将取消的短信群发">
          {campaigns.map(({ id, name, status, waiting }) => (
            <li key={id}>
              {name}（{CAMPAIGN_STATUSES[status]}）
              {waiting > 0 && `，${formatCount(waiting)} 条未发送，退回短信余额`}
            </li>
          ))}
        </ul>
      )}
      {data.blocks.length > 0 && (
        <ul className={styles.blocks} aria-label="不能办理的原因">
          {data.blocks.map(({ key, message }) => (
            <li key={key}>{message}</li>
          ))}
        </ul>
      )}
      <p className={styles.note}>以往的订单、账单和对账单留在原合作伙伴名下，不能再撤销。</p>
    </section>
  )
}
