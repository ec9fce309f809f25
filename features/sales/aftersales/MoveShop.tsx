import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AgentChoice } from '#features/office/agents/AgentPicker.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { discountText } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { FormFields } from '#web/form/FormFields.tsx'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { MOVE } from './fields.ts'
import { refuseMoved, TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { type Changed, ChangeTable, Notes, type Shop, ShopSearch, useToolSearch } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

type Preview = Out<typeof aftersales.movePreview>
type Provider = Preview['from']

/** Moves a shop and its branches to another agent. */
export default function MoveShop() {
  const [search, setSearch] = useToolSearch()
  const found = useQuery({
    ...toolsApi.providerFind.query({ search }),
    enabled: search !== '',
  })
  return (
    <section className={styles.toolSection} aria-labelledby="adjust-provider">
      <h2 id="adjust-provider" className={look.sectionTitle}>
        服务商调整
      </h2>
      <ShopSearch value={search} onSearch={setSearch} empty={TOOL_REFUSALS.SEARCH_REQUIRED} query={found}>
        {shop => <MoveForm shop={shop} />}
      </ShopSearch>
    </section>
  )
}

function MoveForm({ shop }: { shop: Shop }) {
  const shown = useRef<Preview | null>(null)
  const form = useTool({
    of: MOVE,
    refuse: () => (shown.current ? null : { field: 'agentId', message: TOOL_REFUSALS.AGENT_REQUIRED }),
    question: () => ({
      title: `把「${shop.shopName}」转到「${shown.current?.to?.companyName}」？`,
      text: `商户 ID ${shop.id}${along(shown.current)}。原服务商「${shop.agentName}」将不能再查看该商户。`,
      confirmText: '确认调整',
    }),
    send: ({ agentId, reason }) =>
      toolsApi.move({ id: shop.id, revision: shop.revision, agentId: agentId ?? 0, reason }),
    doneText: '调整成功',
  })
  const { agentId } = form.draft
  const preview = useQuery({
    queryKey: ['aftersales', 'movePreview', shop.id, shop.revision, agentId],
    queryFn: () => toolsApi.movePreview(agentId === null ? { id: shop.id } : { id: shop.id, agentId }),
    placeholderData: keepPreviousData,
    // Balances and quotes as they are now.
    staleTime: 0,
  })
  shown.current = agentId === null || preview.isPlaceholderData ? null : (preview.data ?? null)
  const refused = refuseMoved(shop)
  const to = agentId === null ? null : (preview.data?.to ?? null)
  const code = preview.data?.refusal?.code as ToolRefusal | undefined
  return (
    <ConfirmBar
      form={form}
      submitText="调整服务商"
      refusal={refused ?? (agentId === null || preview.isFetching ? null : (code ?? null))}
    >
      {!refused && (
        <div className={styles.toolField}>
          <FormFields form={form} only={['agentId']}>
            {{
              agentId: ({ id }) => (
                <AgentChoice
                  id={id}
                  what="服务商"
                  placeholder="请选择新服务商"
                  queryKey={['aftersales', 'providers']}
                  find={toolsApi.providers}
                  value={agentId ?? undefined}
                  onChange={chosen => form.change({ agentId: chosen ?? null })}
                />
              ),
            }}
          </FormFields>
        </div>
      )}
      {!refused && preview.data && <MovePreview preview={preview.data} to={to} />}
    </ConfirmBar>
  )
}

const NAMES_SHOWN = 8

function namesOf(branches: readonly Shop[]): string {
  const names = branches.slice(0, NAMES_SHOWN).map(branch => branch.shopName)
  return `${names.join('、')}${branches.length > NAMES_SHOWN ? ' 等' : ''}`
}

function along(preview: Preview | null): string {
  return preview && preview.branches.length > 0 ? `，连同 ${preview.branches.length} 家分店` : ''
}

function MovePreview({ preview, to }: { preview: Preview; to: Provider | null }) {
  const { from, branches, openOrders } = preview
  const both = (name: string, of: (provider: Provider) => string): Changed => ({
    name,
    before: of(from),
    after: to ? of(to) : '—',
  })
  return (
    <>
      <ChangeTable
        title="调整预览"
        heads={['原服务商', '新服务商']}
        rows={[
          both('名称', provider => `${provider.companyName}（${provider.id}）`),
          both('等级', provider => provider.levelName),
          both('购买折扣', provider => discountText(provider.discountBasisPoints)),
          both('代币余额', provider => formatCents(provider.tokenCents)),
          both('短信余额', provider => `${formatCount(provider.sms)} 条`),
        ]}
      />
      <Notes
        notes={[
          branches.length > 0 ? `随同转移 ${branches.length} 家分店：${namesOf(branches)}` : '该商户没有分店',
          `商户短信余额 ${formatCount(preview.smsBalance)} 条、增值服务 ${preview.services} 项随商户转移`,
          '客户经理/客服将清空，由新服务商重新指定',
          '以往的订单和账单留在原服务商，不能再撤销；两家服务商的余额都不变',
        ]}
      />
      {openOrders.length > 0 && (
        <div className={styles.toolOpen}>
          <p>以下待支付订单将失效：</p>
          <ul>
            {openOrders.map(order => (
              <li key={order.orderNo}>
                {order.content} · {formatCents(order.totalCents)} 代币 · {formatInstant(order.createdAt)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
