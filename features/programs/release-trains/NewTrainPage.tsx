import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import type { In, Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Form } from '#web/form/Form.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { releaseTrains } from './contract.ts'
import { TRAIN_FORM } from './fields.ts'
import { releaseTrainsApi } from './releaseTrainsApi.tsx'
import { BARS, TRAIN_REFUSALS, wavesOf } from './rules.ts'
import { TemplatePicker, useTemplates } from './TemplatePicker.tsx'
import styles from './trains.module.css'

type Rehearsal = Out<typeof releaseTrains.rehearse>
type Asked = In<typeof releaseTrains.rehearse>
type Chosen = Pick<Asked, 'programType' | 'state' | 'agentId' | 'liveVersion'>

/** What is left empty chooses all. */
function rangeOf(draft: {
  programType: Chosen['programType'] | null
  state: Chosen['state'] | null
  agentId: number | null
  liveVersion: string
}): Chosen {
  const { programType, state, agentId, liveVersion } = draft
  return {
    ...(programType ? { programType } : {}),
    ...(state ? { state } : {}),
    ...(agentId === null ? {} : { agentId }),
    ...(liveVersion.trim() === '' ? {} : { liveVersion: liveVersion.trim() }),
  }
}

/** A release in its steps: the template, the mini programs, the dry run, and how it goes. */
export default function NewTrainPage() {
  const navigate = useNavigate()
  const templates = useTemplates()
  const rehearsed = useRef<Rehearsal | null>(null)
  return (
    <article className={`${look.page} ${styles.form}`}>
      <h1 className={look.pageTitle}>新建分批发布</h1>
      <Form
        of={TRAIN_FORM}
        submitText="开始发布"
        refuse={() => {
          const found = rehearsed.current
          if (found === null) return { field: 'template', message: '请等待试算完成' }
          return found.able === 0 ? { field: 'template', message: TRAIN_REFUSALS.NO_SHOPS } : null
        }}
        question={({ template, waveSize }) => {
          const able = rehearsed.current?.able ?? 0
          const waves = wavesOf(able, waveSize)
          return {
            title: `向 ${formatCount(able)} 家发布 ${templates.chosen(template)?.version}？`,
            text: `分 ${formatCount(waves)} 批依次设置代码、提交审核，审核通过后自动发布，最多用去 ${formatCount(able)} 次提审额度。可以随时暂停或终止。`,
            confirmText: '开始发布',
          }
        }}
        send={async (values, idempotencyKey) => {
          const template = templates.chosen(values.template)
          if (!template) return
          const { templateId, version, tag } = template
          const { name, waveSize, haltPercent, haltFrom, feedback } = values
          const { id } = await releaseTrainsApi
            .start(
              {
                ...{ templateId, version, tag, ...rangeOf(values) },
                ...{ name, waveSize, haltPercent, haltFrom, feedback },
                able: rehearsed.current?.able ?? 0,
              },
              { idempotencyKey },
            )
            .catch((error: unknown) => {
              readAgain('releaseTrains')
              throw error
            })
          toast.success('已开始发布')
          await reread()
          void navigate({ to: '/admin/schedule/releaseTrain', search: { id } })
        }}
      >
        {form => {
          const { draft } = form
          const template = templates.chosen(draft.template)
          return (
            <>
              <section className={styles.step} aria-labelledby="step-template">
                <h2 id="step-template">1. 选择模板与小程序</h2>
                <FormFields form={form} only={['template', 'programType', 'state', 'agentId', 'liveVersion']}>
                  {{
                    template: control => (
                      <TemplatePicker
                        {...control}
                        from={templates}
                        value={draft.template}
                        onChange={chosen => {
                          const now = templates.chosen(chosen)
                          const isOwnName = draft.name.trim() !== '' && draft.name !== nameOf(template)
                          form.change({ template: chosen, ...(isOwnName ? {} : { name: nameOf(now) }) })
                        }}
                      />
                    ),
                    agentId: ({ id }) => (
                      <AgentPicker
                        id={id}
                        value={draft.agentId ?? undefined}
                        placeholder="全部代理商"
                        onChange={chosen => form.change({ agentId: chosen ?? null })}
                      />
                    ),
                  }}
                </FormFields>
              </section>
              <section className={styles.step} aria-labelledby="step-rehearsal">
                <h2 id="step-rehearsal">2. 试算</h2>
                {template ? (
                  <RehearsalOf
                    asked={{
                      ...{ templateId: template.templateId, version: template.version, tag: template.tag },
                      ...rangeOf(draft),
                    }}
                    onRehearsed={found => {
                      rehearsed.current = found
                    }}
                  />
                ) : (
                  <p className={look.quiet}>选择模板后列出可以发布的小程序，此时不会提交任何内容。</p>
                )}
              </section>
              <section className={styles.step} aria-labelledby="step-way">
                <h2 id="step-way">3. 发布方式</h2>
                <FormFields
                  form={form}
                  only={['name', 'waveSize', 'haltPercent', 'haltFrom', 'feedback']}
                  told={{ waveSize: { unit: '家' }, haltPercent: { unit: '%' }, haltFrom: { unit: '家' } }}
                />
              </section>
            </>
          )
        }}
      </Form>
    </article>
  )
}

const nameOf = (template: { tag: string; version: string } | undefined) =>
  template ? `${template.tag} ${template.version}` : ''

type RehearsalProps = { asked: Asked; onRehearsed: (found: Rehearsal | null) => void }

/** Whom it would reach as things stand, and why not the others. */
function RehearsalOf({ asked, onRehearsed }: RehearsalProps) {
  const query = useQuery({
    ...releaseTrainsApi.rehearse.query(asked),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data } = query
  onRehearsed(query.isPlaceholderData ? null : (data ?? null))
  if (query.isError) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  if (!data) return <LoadingLines lines={3} />
  const { chosen, able, bars } = data
  return (
    <div className={styles.rehearsal} aria-busy={query.isFetching}>
      <p role="status">
        符合条件 <b>{formatCount(chosen)}</b> 家，可以发布 <b>{formatCount(able)}</b> 家
        {chosen > able && (
          <>
            ，不能发布 <b>{formatCount(chosen - able)}</b> 家
          </>
        )}
      </p>
      {bars.length > 0 && (
        <ul className={styles.bars} aria-label="不能发布的原因">
          {bars.map(({ bar, shops, samples }) => (
            <li key={bar}>
              <b className={look.number}>{formatCount(shops)} 家</b>
              <span>
                {BARS[bar]}
                <Samples samples={samples} shops={shops} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type SamplesProps = {
  samples: readonly { applicationId: number; shopName: string }[]
  shops: number
}

/** Some of them by name, each leading to its mini program. */
export function Samples({ samples, shops }: SamplesProps) {
  return (
    <span className={styles.samples}>
      {samples.map(({ applicationId, shopName }) => (
        <Link key={applicationId} to="/admin/schedule/AppletFlow" search={{ id: applicationId }}>
          {shopName}
        </Link>
      ))}
      {shops > samples.length && <span>等 {formatCount(shops)} 家</span>}
    </span>
  )
}
