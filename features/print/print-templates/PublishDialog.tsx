import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { type AudienceDraft, AudienceField, draftOf, sentOf } from './AudienceField.tsx'
import { PUBLICATION } from './fields.ts'
import styles from './print-templates.module.css'
import { covers, refuseAudience, refusePublishing, TEMPLATE_REFUSALS, type TemplateRefusal } from './rules.ts'
import {
  type Picture,
  type TemplateDetails,
  type TemplateDialogProps,
  templatesApi,
} from './templatesApi.tsx'

type Props = TemplateDialogProps & { picture: Picture }

/** The draft becomes a version for whom one chooses; a draft that is published already comes to more shops. */
export default function PublishDialog({ kind, id, name, picture, onClose }: Props) {
  const template = useQuery({ ...templatesApi(kind).details.query({ id }), refetchOnMount: 'always' })
  const check = useQuery({ ...templatesApi(kind).check.query({ id }), refetchOnMount: 'always' })
  const failed = [template, check].find(query => query.isError)
  const isFresh = template.isFetchedAfterMount && check.isFetchedAfterMount
  const isDone = template.data?.state === 'published' && template.data.served[0]?.audience.all
  const [asked, setAsked] = useState<Asked | null>(null)
  // Of another draft than the one that is shown there is nothing to say; and what was read again once it is published is no
  // question any more.
  const isEmpty = check.data?.isEmpty === true && template.data?.state !== 'published'
  if (!asked && template.data && check.data && isFresh && !failed && !isDone && !isEmpty)
    setAsked({ template: template.data, faults: check.data.faults })
  if (asked) return <PublishForm {...{ kind, picture, onClose }} {...asked} />
  return (
    <Dialog title={`发布：${name}`} width={560} onClose={onClose}>
      <DialogText>
        {failed ? (
          <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
        ) : isFresh && isDone ? (
          <EmptyState title="没有需要发布的修改">
            草稿就是版本 {template.data?.publishedVersion}，已经发布给全部店铺。修改后可以再次发布。
          </EmptyState>
        ) : isFresh && isEmpty ? (
          <EmptyState title="模板还没有内容">{TEMPLATE_REFUSALS.EMPTY}。</EmptyState>
        ) : (
          <LoadingLines lines={6} />
        )}
      </DialogText>
    </Dialog>
  )
}

type Asked = { template: TemplateDetails; faults: readonly string[] }
type FormProps = Pick<Props, 'kind' | 'picture' | 'onClose'> & Asked
type ForWhom = { audience: AudienceDraft }
type Draft = ForWhom & { reason: string }

const ALL: AudienceDraft = { all: true, industryIds: [], shops: [] }

function PublishForm({ kind, picture, onClose, template, faults }: FormProps) {
  const { id, revision, served, name, state } = template
  const newest = served[0]
  const widens = state === 'published' && newest !== undefined
  const least = widens ? draftOf(newest.audience) : null
  const refuse = ({ audience, reason }: Draft) => {
    const asked = sentOf(audience)
    const told = (code: TemplateRefusal | null, field: string) =>
      code ? [{ field, message: TEMPLATE_REFUSALS[code] }] : []
    const forWhom = told(refuseAudience(asked), 'audience')
    if (widens) return forWhom
    return [
      ...forWhom,
      ...told(refusePublishing(template, { faults: faults.length, isEmpty: false, reason }), 'reason'),
    ]
  }
  const send = async ({ audience, reason }: Draft, idempotencyKey: string) => {
    const asked = sentOf(audience)
    if (widens) await templatesApi(kind).widen({ id, number: newest.number, audience: asked })
    else {
      const input = { id, revision, audience: asked, reason }
      const { number } = await templatesApi(kind).publish(input, { idempotencyKey })
      toast.success(`已发布为版本 ${number}`)
    }
    if (widens) toast.success('发布范围已扩大')
    await reread()
  }
  return (
    <FormDialog<typeof PUBLICATION, ForWhom>
      title={widens ? `扩大发布范围：${name}` : `发布：${name}`}
      submitText={widens ? '扩大范围' : '发布'}
      width={560}
      of={PUBLICATION}
      without={widens ? ['reason'] : []}
      more={{ audience: newest ? draftOf(newest.audience) : ALL }}
      refuse={refuse}
      send={send}
      onClose={onClose}
    >
      {form => (
        <div className={styles.publish}>
          <figure className={styles.paper} aria-label={`${name} 的图样`}>
            {picture(template.content)}
          </figure>
          {!widens && faults.length > 0 && (
            <section className={styles.faults} aria-label="未解决的问题">
              <b>有 {faults.length} 个问题未解决</b>
              <ul>
                {faults.map(fault => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            </section>
          )}
          <AudienceField {...{ kind, least, form }} hint={outcomeOf(template, form.draft.audience, widens)} />
          <FormFields
            form={form}
            told={{
              reason:
                faults.length > 0
                  ? {
                      label: '仍要发布的原因',
                      required: true,
                      placeholder: '写明原因后可以发布，原因记入历史和操作日志',
                    }
                  : undefined,
            }}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** What becomes of those whom it is not for. */
function outcomeOf({ served }: TemplateDetails, audience: AudienceDraft, widens: boolean): string {
  const [newest, ...older] = served
  const asked = sentOf(audience)
  const others = (widens ? older : served).find(version => !covers(asked, sentOf(draftOf(version.audience))))
  const now = widens
    ? `范围内的店铺下次读取时得到版本 ${newest?.number}`
    : '范围内的店铺下次读取时得到新版本，草稿仍可继续修改'
  if (asked.all) return `${now}。`
  return others ? `${now}；其余店铺继续使用版本 ${others.number}。` : `${now}；其余店铺没有这个模板。`
}
