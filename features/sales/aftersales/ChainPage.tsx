import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { StatusText } from '#features/shops/merchants/MerchantTexts.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { DissolveDialog } from './DissolveDialog.tsx'
import { TOOL } from './fields.ts'
import { RecentActions } from './RecentActions.tsx'
import { freePlaces, refuseAssociate, refuseHead, TOOL_REFUSALS } from './rules.ts'
import {
  ChangeTable,
  Found,
  Notes,
  NotFound,
  type Shop,
  ShopFacts,
  ShopSearch,
  ToolPage,
  ToolSearch,
  useToolSearch,
} from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

type Group = Out<typeof aftersales.chainFind>

function useGroup(search: string) {
  return useQuery({
    ...toolsApi.chainFind.query({ search }),
    enabled: search !== '',
  })
}

/** Chain association (D3 §2, §7): a head, its branches, joining and leaving. */
export default function ChainPage() {
  const [search, setSearch] = useToolSearch()
  const found = useGroup(search)
  return (
    <ToolPage title="连锁关联" intro="把商户关联为总店的分店，或解除关联。总店和分店须属于同一服务商。">
      <ToolSearch
        label="总店"
        placeholder="总店的商户ID / 账号 / 店铺名称"
        value={search}
        onSearch={setSearch}
        empty={TOOL_REFUSALS.SHOP_ID_REQUIRED}
        query={found}
      />
      <Found query={found}>
        {group =>
          group.head ? (
            <Chain group={group} head={group.head} />
          ) : (
            <NotFound search={search} onSearch={setSearch} />
          )
        }
      </Found>
      <RecentActions of="chainActions" />
    </ToolPage>
  )
}

function Chain({ group, head }: { group: Group; head: Shop }) {
  const [leaving, setLeaving] = useState<Shop | null>(null)
  const isBranchFound = group.shop !== null && group.shop.id !== head.id
  return (
    <>
      <ShopFacts shop={head} title="总店" />
      {isBranchFound && <Notes notes={[`「${group.shop?.shopName}」是分店，以上为它的总店`]} />}
      <section className={styles.toolSection} aria-labelledby="chain-branches">
        <h2 id="chain-branches" className={look.sectionTitle}>
          分店 {group.branches.length} 家
          <span className={styles.toolAside}>
            已购 {head.shopsBought} 家（含总店），还可关联 {freePlaces(head)} 家
          </span>
        </h2>
        {group.branches.length === 0 ? (
          <p className={look.quiet}>该总店还没有分店</p>
        ) : (
          <ul className={styles.toolRows}>
            {group.branches.map(branch => (
              <li key={branch.id}>
                <div>
                  <b>{branch.shopName}</b>{' '}
                  <span className={`${look.quiet} ${look.number}`}>
                    {branch.id} · {branch.account}
                  </span>
                </div>
                <StatusText status={branch.status} />
                {group.shop?.id === branch.id && <StatusTag tone="attention">查找的商户</StatusTag>}
                <Button changes onClick={() => setLeaving(branch)}>
                  解除关联
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Associate key={head.id} head={head} />
      {leaving && <DissolveDialog branch={leaving} head={head} onClose={() => setLeaving(null)} />}
    </>
  )
}

function Associate({ head }: { head: Shop }) {
  const [search, setSearch] = useState('')
  const found = useGroup(search)
  const refused = refuseHead(head)
  return (
    <section className={styles.toolSection} aria-labelledby="chain-associate">
      <h2 id="chain-associate" className={look.sectionTitle}>
        关联分店
      </h2>
      {refused ? (
        <p className={styles.toolRefusal}>{TOOL_REFUSALS[refused]}</p>
      ) : (
        <ShopSearch
          label="要关联的商户"
          placeholder="分店的商户ID / 账号 / 店铺名称"
          value={search}
          onSearch={setSearch}
          query={found}
        >
          {shop => <AssociateForm head={head} branch={shop} />}
        </ShopSearch>
      )}
    </section>
  )
}

function AssociateForm({ head, branch }: { head: Shop; branch: Shop }) {
  const refusal = refuseAssociate(head, branch)
  const form = useTool({
    of: TOOL,
    question: () => ({
      title: `把「${branch.shopName}」关联为「${head.shopName}」的分店？`,
      text: `分店 ID ${branch.id}，总店 ID ${head.id}。`,
      confirmText: '确认关联',
    }),
    send: ({ reason }) =>
      toolsApi.associate({ id: branch.id, revision: branch.revision, headId: head.id, reason }),
    doneText: '关联成功',
  })
  return (
    <ConfirmBar form={form} submitText="关联为分店" refusal={refusal}>
      {!refusal && (
        <>
          <ChangeTable
            title="关联预览"
            rows={[
              { name: '门店类型', before: '总店', after: '分店' },
              { name: '总店', before: '无', after: `${head.shopName}（${head.id}）` },
              {
                name: '总店剩余分店名额',
                before: `${freePlaces(head)} 家`,
                after: `${freePlaces(head) - 1} 家`,
              },
            ]}
          />
          <Notes notes={['版本和到期时间不变']} />
        </>
      )}
    </ConfirmBar>
  )
}
