import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { NamedRole, RightsNode, team } from './contract.ts'
import { RightsTree } from './RightsTree.tsx'
import { closedNodes, isRight, PRESETS } from './rules.ts'
import styles from './team.module.css'
import { WhoCan } from './WhoCan.tsx'

const teamApi = api<typeof team>('team')
const WIDTH = 820
/** Most roles that can be compared with. */
const ROLES_ASKED = 100

type Props = {
  row: NamedRole
  /** It was added just now: what it can start from stands first. */
  isNew: boolean
  /** Why its rights can only be looked at. */
  lock: string | null
  onClose: () => void
}

/** What a role may do: pages and the verbs on them, each in a sentence. */
export default function RightsDialog({ row, isNew, lock, onClose }: Props) {
  const tree = useQuery(teamApi.tree.query())
  const rights = useQuery(teamApi.roleRights.query({ id: row.id }))
  const title = `${lock ? '查看' : '设置'}权限：${row.name}`
  const failed = [tree, rights].find(({ isError }) => isError)
  if (!tree.data || !rights.data)
    return (
      <Dialog title={title} width={WIDTH} onClose={onClose} footer={<CloseButton />}>
        <div className={styles.waiting}>
          {failed ? (
            <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
          ) : (
            <LoadingLines lines={12} />
          )}
        </div>
      </Dialog>
    )
  return (
    <Opened
      title={title}
      row={row}
      isNew={isNew}
      lock={lock}
      nodes={tree.data.nodes}
      held={rights.data.nodeIds}
      onClose={onClose}
    />
  )
}

function Opened({
  title,
  row,
  isNew,
  lock,
  nodes,
  held,
  onClose,
}: Props & { title: string; nodes: readonly RightsNode[]; held: readonly number[] }) {
  const [search, setSearch] = useState('')
  const [comparedId, setComparedId] = useState<number>()
  const [asked, setAsked] = useState<RightsNode | null>(null)
  const compared = useCompared(comparedId)
  const known = new Set(nodes.map(({ id }) => id))
  // What the acting person cannot grant stays as it is.
  const hidden = held.filter(id => !known.has(id))
  const shown = held.filter(id => known.has(id))
  if (lock)
    return (
      <Dialog
        title={title}
        width={WIDTH}
        onClose={onClose}
        footer={
          <>
            <span className={styles.tally}>{lock}</span>
            <CloseButton>关闭</CloseButton>
          </>
        }
      >
        <div className={styles.rights}>
          <Tools
            row={row}
            search={search}
            onSearch={setSearch}
            comparedId={comparedId}
            onCompare={setComparedId}
          />
          <RightsTree
            nodes={nodes}
            held={new Set(shown)}
            compared={compared}
            search={search}
            onAsk={setAsked}
          />
        </div>
        {asked && <WhoCan node={asked} onClose={() => setAsked(null)} />}
      </Dialog>
    )
  return (
    <FormDialog
      title={title}
      submitText="保存权限"
      cancelText={isNew ? '以后再设置' : undefined}
      width={WIDTH}
      of={{}}
      more={{ nodeIds: shown as readonly number[] }}
      send={async ({ nodeIds }) => {
        const { given, taken } = await teamApi.setRights({ id: row.id, nodeIds: [...nodeIds, ...hidden] })
        toast.success(given + taken === 0 ? '权限没有变化' : `权限已保存：新增 ${given} 项，收回 ${taken} 项`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <div className={styles.rights}>
          <Tools
            row={row}
            search={search}
            onSearch={setSearch}
            comparedId={comparedId}
            onCompare={setComparedId}
          />
          <div className={styles.presets}>
            <span>从岗位开始</span>
            {Object.values(PRESETS).map(({ name, text, keys }) => (
              <button
                key={name}
                type="button"
                data-tip={text}
                onClick={() => form.change({ nodeIds: presetNodes(nodes, keys) })}
              >
                {name}
              </button>
            ))}
          </div>
          <RightsTree
            nodes={nodes}
            held={new Set(form.draft.nodeIds)}
            compared={compared}
            search={search}
            onAsk={setAsked}
            onChange={nodeIds => form.change({ nodeIds: [...nodeIds].sort((a, b) => a - b) })}
          />
          <Tally before={shown} after={form.draft.nodeIds} />
          {asked && <WhoCan node={asked} onClose={() => setAsked(null)} />}
        </div>
      )}
    </FormDialog>
  )
}

type ToolsProps = {
  row: NamedRole
  search: string
  onSearch: (text: string) => void
  comparedId: number | undefined
  onCompare: (id: number | undefined) => void
}

function Tools({ row, search, onSearch, comparedId, onCompare }: ToolsProps) {
  const roles = useQuery(teamApi.roles.query({ page: 1, size: ROLES_ASKED }))
  return (
    <div className={styles.tools}>
      <TextInput
        value={search}
        onChange={onSearch}
        placeholder="搜索页面或操作"
        aria-label="搜索页面或操作"
      />
      <Select
        aria-label="与其他角色对比"
        placeholder="与其他角色对比"
        value={comparedId}
        allowClear
        options={roles.data?.rows
          .filter(({ id }) => id !== row.id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        notFound="没有其他角色"
        onChange={onCompare}
      />
    </div>
  )
}

function useCompared(id: number | undefined): ReadonlySet<number> | null {
  const { data } = useQuery({ ...teamApi.roleRights.query({ id: id ?? 0 }), enabled: id !== undefined })
  return id !== undefined && data ? new Set(data.nodeIds) : null
}

function presetNodes(nodes: readonly RightsNode[], keys: readonly string[]): number[] {
  const wanted = nodes.filter(({ key }) => keys.includes(key)).map(({ id }) => id)
  const known = new Set(nodes.filter(isRight).map(({ id }) => id))
  return closedNodes(nodes, wanted).filter(id => known.has(id))
}

function Tally({ before, after }: { before: readonly number[]; after: readonly number[] }) {
  const given = after.filter(id => !before.includes(id)).length
  const taken = before.filter(id => !after.includes(id)).length
  const changes = [given > 0 && `新增 ${given} 项`, taken > 0 && `收回 ${taken} 项`].filter(Boolean)
  return (
    <p className={styles.tally} aria-live="polite">
      已选 {after.length} 项{changes.length > 0 && `，${changes.join('，')}`}。保存后 5 秒内对已登录的员工生效
    </p>
  )
}
