import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { formatCents, formatCount } from '#kit/money.ts'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { FileLink } from '#web/form/files/FileLink.tsx'
import styles from './demands.module.css'
import {
  type DemandDetails,
  DemandLink,
  demandsApi,
  LIST_PATH,
  THREADS_PATH,
  useRemoval,
} from './demandsApi.tsx'
import { RELATIONS, SOURCE_KINDS, WEIGHT_WORDS } from './rules.ts'

const LogDrawer = lazy(() => import('./LogDrawer.tsx'))
const LinkDialogs = lazy(() => import('./LinkDialogs.tsx'))

type Open = 'log' | 'source' | 'relation' | 'merge' | 'file' | null
type Props = { demand: DemandDetails; mayEdit: boolean }

/** What stands beside a demand: who asked and what that weighs, other demands, attachments, who follows it. */
export function DemandSide({ demand, mayEdit }: Props) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <aside className={styles.side} aria-label="需求的来源与关联">
      <Deeds demand={demand} mayEdit={mayEdit} onOpen={setOpen} />
      <Sources demand={demand} mayEdit={mayEdit} onAdd={() => setOpen('source')} />
      <Relations demand={demand} mayEdit={mayEdit} onAdd={() => setOpen('relation')} />
      <Files demand={demand} mayEdit={mayEdit} onAdd={() => setOpen('file')} />
      <Followers demand={demand} />
      <Suspense>
        {open === 'log' && <LogDrawer id={demand.id} title={demand.title} onClose={close} />}
        {open !== null && open !== 'log' && <LinkDialogs what={open} demand={demand} onClose={close} />}
      </Suspense>
    </aside>
  )
}

type DeedsProps = Props & { onOpen: (what: Open) => void }

function Deeds({ demand, mayEdit, onOpen }: DeedsProps) {
  const navigate = useNavigate()
  const mayRemove = usePermission('demands.remove')
  const removal = useRemoval(() => void navigate({ to: LIST_PATH, replace: true }))
  return (
    <div className={styles.deeds}>
      <Button onClick={() => onOpen('log')}>日志与评论</Button>
      {mayEdit && (
        <Button changes onClick={() => onOpen('merge')}>
          合并到…
        </Button>
      )}
      {mayRemove && demand.deletedAt === null && demand.mergedIntoId === null && (
        <Button changes onClick={() => removal.remove(demand)}>
          删除
        </Button>
      )}
    </div>
  )
}

type PartProps = { title: string; more?: ReactNode; children: ReactNode }

function Part({ title, more, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more}
      </header>
      {children}
    </section>
  )
}

type ListedProps = Props & { onAdd: () => void }

function Sources({ demand, mayEdit, onAdd }: ListedProps) {
  const remove = useDeed((sourceId: number) => demandsApi.removeSource({ id: demand.id, sourceId }))
  return (
    <Part
      title="谁提出的"
      more={
        mayEdit && (
          <Button kind="link" changes onClick={onAdd}>
            添加来源
          </Button>
        )
      }
    >
      <p className={styles.weight} data-tip={WEIGHT_WORDS}>
        <span>
          权重 <b>{formatCount(demand.weight)}</b>
        </span>
        <span>
          店铺 <b>{formatCount(demand.shops)}</b> 家
        </span>
        <span>
          12 个月内续费 <b>{formatCents(demand.renewalCents)}</b> 代币
        </span>
        <span>
          最早 <Instant at={demand.oldestAskedAt} toMinute />
        </span>
      </p>
      <ul className={styles.rows}>
        {demand.sources.map(source => (
          <li key={source.id}>
            <div>
              <b>{source.name}</b>{' '}
              <span className={look.quiet}>
                {source.kind === 'shop' ? source.merchantId : SOURCE_KINDS[source.kind]} · {source.agentName}
              </span>
              <SourceText source={source} />
              <p className={look.quiet}>
                <Instant at={source.askedAt} toMinute />
                {source.renewalCents ? ` · 续费 ${formatCents(source.renewalCents)} 代币` : ''}
                {source.toldAt ? ' · 已通知上线' : ''}
              </p>
            </div>
            {mayEdit && !source.isOwn && (
              <Button
                kind="link"
                changes
                aria-label={`移除来源：${SOURCE_KINDS[source.kind]} ${source.name}`}
                onClick={() => remove(source.id)}
              >
                移除
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** What was said; a thread leads to itself where it may be looked at. */
function SourceText({ source: { threadId, text, opens } }: { source: DemandDetails['sources'][number] }) {
  const mayOpen = usePermission('threads.all')
  if (text === '') return null
  return (
    <p className={styles.said}>
      {threadId !== null && opens && mayOpen ? (
        <Link className={look.inText} to={THREADS_PATH} search={{ thread: threadId }}>
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  )
}

function Relations({ demand, mayEdit, onAdd }: ListedProps) {
  const remove = useDeed((relation: DemandDetails['relations'][number]) =>
    demandsApi.relate({
      id: relation.inverse ? relation.id : demand.id,
      otherId: relation.inverse ? demand.id : relation.id,
      kind: relation.kind,
      on: false,
    }),
  )
  return (
    <Part
      title="关联需求"
      more={
        mayEdit && (
          <Button kind="link" changes onClick={onAdd}>
            添加关联
          </Button>
        )
      }
    >
      {demand.relations.length + demand.merged.length === 0 && <p className={look.quiet}>没有关联的需求</p>}
      <ul className={styles.rows}>
        {demand.relations.map(relation => (
          <li key={`${relation.kind} ${relation.id} ${relation.inverse}`}>
            <div>
              <span className={look.quiet}>{relationWords(relation)}</span> <DemandLink {...relation} />
            </div>
            {mayEdit && (
              <Button
                kind="link"
                changes
                aria-label={`取消关联：${relation.title}`}
                onClick={() => remove(relation)}
              >
                取消
              </Button>
            )}
          </li>
        ))}
        {demand.merged.map(other => (
          <li key={other.id}>
            <div>
              <span className={look.quiet}>已并入</span> <DemandLink {...other} />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function relationWords({ kind, inverse }: { kind: keyof typeof RELATIONS; inverse: boolean }): string {
  if (!inverse) return RELATIONS[kind]
  return kind === 'blocks' ? '被阻塞于' : '包含'
}

function Files({ demand, mayEdit, onAdd }: ListedProps) {
  const remove = useDeed((fileId: number) => demandsApi.removeFile({ id: demand.id, fileId }))
  return (
    <Part
      title="附件"
      more={
        mayEdit && (
          <Button kind="link" changes onClick={onAdd}>
            上传附件
          </Button>
        )
      }
    >
      {demand.files.length === 0 && <p className={look.quiet}>没有附件</p>}
      <ul className={styles.rows}>
        {demand.files.map(file => (
          <li key={file.id}>
            <div>
              <FileLink href={`/api/demands/${demand.id}/files/${file.id}/file`} rows={0} kind="link">
                {file.name}.{file.isPdf ? 'pdf' : 'png'}
              </FileLink>
              <p className={look.quiet}>
                {file.createdByName} <Instant at={file.createdAt} toMinute />
              </p>
            </div>
            {mayEdit && (
              <Button
                kind="link"
                changes
                aria-label={`移除附件：${file.name}`}
                onClick={() => remove(file.id)}
              >
                移除
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Followers({ demand }: { demand: DemandDetails }) {
  const set = useDeed((on: boolean) => demandsApi.subscribe({ id: demand.id, on }))
  return (
    <Part
      title="关注的人"
      more={
        <Button kind="link" changes onClick={() => set(!demand.subscribed)}>
          {demand.subscribed ? '取消关注' : '关注'}
        </Button>
      }
    >
      <p>
        {demand.subscribers.length === 0 ? (
          <span className={look.quiet}>还没有人关注，关注后进度变化和评论会通知您</span>
        ) : (
          demand.subscribers.map(({ name }) => name).join('、')
        )}
      </p>
    </Part>
  )
}

/** Something small that is done at once and told only where it fails. */
function useDeed<T>(send: (input: T) => Promise<unknown>): (input: T) => void {
  const deed = useMutation({ mutationFn: send, onError: error => toast.error(messageOf(error)) })
  return input => {
    if (!deed.isPending) deed.mutate(input)
  }
}
