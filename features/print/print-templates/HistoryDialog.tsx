import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { PictureDifference } from './PictureDifference.tsx'
import styles from './print-templates.module.css'
import { TEMPLATE_EVENTS, TEMPLATE_FEATURES } from './rules.ts'
import {
  audienceWords,
  isServed,
  type Picture,
  type TemplateDetails,
  type TemplateDialogProps,
  type TemplateEvent,
  type TemplateVersion,
  templatesApi,
} from './templatesApi.tsx'
import { WithdrawDialog } from './WithdrawDialog.tsx'

type Props = TemplateDialogProps & {
  picture: Picture
  /** Something was typed that a restored version would take the place of. */
  isDirty?: boolean
  onRestored?: () => void
}

/** Every version: for whom, by whom, when, why; compared with the draft or with the one before; brought back, or withdrawn. */
export default function HistoryDialog(props: Props) {
  const { kind, id, name, onClose } = props
  const template = useQuery(templatesApi(kind).details.query({ id }))
  const history = useQuery(templatesApi(kind).history.query({ id }))
  const failed = [template, history].find(query => query.isError && !query.data)
  const [newest] = history.data?.versions ?? []
  return (
    <Dialog title={`历史：${name}`} width={960} onClose={onClose}>
      {failed ? (
        <DialogText>
          <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
        </DialogText>
      ) : !template.data || !history.data ? (
        <DialogText>
          <LoadingLines />
        </DialogText>
      ) : !newest ? (
        <DialogText>
          <EmptyState title="还没有发布过">发布后，每个版本的图样、范围和说明都留在这里。</EmptyState>
        </DialogText>
      ) : (
        <Versions {...props} template={template.data} {...history.data} newest={newest} />
      )}
    </Dialog>
  )
}

type VersionsProps = Props & {
  template: TemplateDetails
  versions: readonly TemplateVersion[]
  events: readonly TemplateEvent[]
  newest: TemplateVersion
}

/** Beside what a version is looked at. */
const DRAFT = 'draft'

function Versions({ template, versions, events, newest, ...props }: VersionsProps) {
  const [number, setNumber] = useState(newest.number)
  const [beside, setBeside] = useState<'draft' | 'before'>(DRAFT)
  const shown = versions.find(version => version.number === number) ?? newest
  const before = versions.find(version => version.number < shown.number)
  const compared =
    beside === 'before' && before
      ? [side(before), side(shown)]
      : [side(shown), { title: '草稿', content: template.content }]
  return (
    <div className={styles.history}>
      <div className={styles.list}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
        <section className={styles.scrolls} tabIndex={0} aria-label="版本">
          <ol className={styles.versions}>
            {versions.map(version => (
              <li key={version.number}>
                <button
                  type="button"
                  aria-pressed={version === shown}
                  onClick={() => setNumber(version.number)}
                >
                  <VersionLine version={version} />
                </button>
              </li>
            ))}
          </ol>
          <details className={styles.events}>
            <summary>全部操作（{events.length}）</summary>
            <ol>
              {events.map(event => (
                <li key={event.id}>
                  <EventLine event={event} />
                </li>
              ))}
            </ol>
          </details>
        </section>
      </div>
      <div className={styles.shown}>
        <PictureDifference
          picture={props.picture}
          old={compared[0] as Side}
          now={compared[1] as Side}
          beside={
            <label className={styles.beside}>
              对照
              <select
                className={look.select}
                value={before ? beside : DRAFT}
                onChange={({ target }) => setBeside(target.value as typeof beside)}
              >
                <option value={DRAFT}>当前草稿</option>
                {before && <option value="before">上一版本（{before.number}）</option>}
              </select>
            </label>
          }
        />
        <Deeds {...{ ...props, template, versions }} version={shown} />
      </div>
    </div>
  )
}

type Side = { title: string; content: unknown }
const side = ({ number, content }: TemplateVersion): Side => ({ title: `版本 ${number}`, content })

function VersionLine({ version }: { version: TemplateVersion }) {
  const { number, publishedByName, publishedAt, withdrawnAt, supersededBy, reason, faults, audience } =
    version
  return (
    <>
      <span className={styles.versionHead}>
        <b>版本 {number}</b>
        {isServed(version) ? (
          <StatusTag tone="done">使用中</StatusTag>
        ) : withdrawnAt ? (
          <StatusTag tone="neutral">已撤回</StatusTag>
        ) : (
          <StatusTag tone="neutral">已由版本 {supersededBy} 取代</StatusTag>
        )}
      </span>
      <small>{audienceWords(audience)}</small>
      <small>
        {publishedByName} <Instant at={publishedAt} />
      </small>
      {reason !== '' && <small className={styles.reason}>{reason}</small>}
      {faults.length > 0 && <small className={styles.faulty}>有 {faults.length} 个问题未解决</small>}
    </>
  )
}

function EventLine({ event }: { event: TemplateEvent }) {
  const { kind, number, audience, reason, byName, at } = event
  return (
    <>
      {TEMPLATE_EVENTS[kind]}
      {number === null ? kind === 'withdrawn' && '全部版本' : `版本 ${number}`}
      {audience !== '' && `：${audience}`}
      {reason !== '' && `（${reason}）`}
      <small>
        {byName} <Instant at={at} />
      </small>
    </>
  )
}

type DeedsProps = Pick<Props, 'kind' | 'id' | 'isDirty' | 'onRestored' | 'onClose'> & {
  template: TemplateDetails
  versions: readonly TemplateVersion[]
  version: TemplateVersion
}

/** What can be done with a version. */
function Deeds({ kind, id, isDirty, onRestored, onClose, template, versions, version }: DeedsProps) {
  const { number } = version
  const mayEdit = usePermission(`${TEMPLATE_FEATURES[kind]}.edit`)
  const mayPublish = usePermission(`${TEMPLATE_FEATURES[kind]}.publish`)
  const failed = (error: unknown) => {
    toast.error(messageOf(error))
    if (refusalOf(error)?.code === 'STALE') void readAgain(TEMPLATE_FEATURES[kind])
  }
  const restoring = useMutation({
    mutationFn: () => templatesApi(kind).restoreVersion({ id, number, revision: template.revision }),
    onSuccess: async () => {
      toast.success(`版本 ${number} 已恢复为草稿`)
      await reread()
      onRestored?.()
      onClose()
    },
    onError: failed,
  })
  const [withdraws, setWithdraws] = useState(false)
  const restore = async () => {
    const text = `草稿的内容将由版本 ${number} 替换${isDirty ? '，未保存的修改将丢失' : ''}。已发布的版本不受影响。`
    if (await confirm({ title: `把版本 ${number} 恢复为草稿？`, text, confirmText: '恢复为草稿' }))
      restoring.mutate()
  }
  const isDraft = template.publishedVersion === number && template.state === 'published'
  return (
    <div className={styles.deeds}>
      {mayPublish && isServed(version) && (
        <Button onClick={() => setWithdraws(true)}>撤回版本 {number}</Button>
      )}
      {mayEdit && (
        <Button
          kind="primary"
          busy={restoring.isPending}
          disabled={isDraft && '草稿就是这个版本'}
          onClick={() => void restore()}
        >
          恢复为草稿
        </Button>
      )}
      {withdraws && (
        <WithdrawDialog {...{ kind, id, version, versions }} onClose={() => setWithdraws(false)} />
      )}
    </div>
  )
}
