import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './applications.module.css'
import type { partnerApplications } from './contract.ts'
import { APPLICATION_FIELDS, APPLICATION_NOTE, DECLINING } from './fields.ts'
import { type ApplicationStep, DECISION_REFUSALS, refuseStep } from './rules.ts'

type Details = Out<typeof partnerApplications.details>

const TakeOnDialog = lazy(() => import('#features/agencies/partners/TakeOnDialog.tsx'))
const applicationsApi = api<typeof partnerApplications>('partnerApplications')

/** One application over the list: what was told, what was said since, and what becomes of it. */
export default function ApplicationDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const application = useQuery(applicationsApi.details.query({ id }))
  const history = useHistory()
  const { data } = application
  return (
    <Drawer title="合作申请" onClose={onClose}>
      <DrawerBody>
        {data ? (
          <div className={styles.body}>
            <header className={styles.head}>
              <h3>{data.companyName}</h3>
              <StatusTag tone={APPLICATION_FIELDS.state.tones[data.state]}>
                {APPLICATION_FIELDS.state.words[data.state]}
              </StatusTag>
            </header>
            <Facts>
              <Fact label={APPLICATION_FIELDS.contactName.label}>{data.contactName}</Fact>
              <Fact label={APPLICATION_FIELDS.mobile.label}>
                <PhoneNumber number={data.mobile} />
              </Fact>
              <Fact label={APPLICATION_FIELDS.regionName.label}>{data.regionName + data.address}</Fact>
              <Fact label={APPLICATION_FIELDS.sells.label}>{data.sells}</Fact>
              <Fact label={APPLICATION_FIELDS.remark.label}>{data.remark || '—'}</Fact>
              <Fact label={APPLICATION_FIELDS.createdAt.label}>
                <Instant at={data.createdAt} />
              </Fact>
              {data.dueOn && <Fact label={APPLICATION_FIELDS.dueOn.label}>{data.dueOn}</Fact>}
              {data.handledAt && (
                <Fact label="处理">
                  {data.handledByName} {formatInstant(data.handledAt)}
                </Fact>
              )}
              {data.reason && <Fact label={APPLICATION_FIELDS.reason.label}>{data.reason}</Fact>}
              {data.agentId !== null && (
                <Fact label="合作伙伴">
                  <AgentLink id={data.agentId}>编号 {data.agentId}</AgentLink>
                </Fact>
              )}
              <Fact label="营业执照">
                {data.hasLicence ? <Licence id={id} /> : <span className={look.quiet}>未上传</span>}
              </Fact>
            </Facts>
            <Steps data={data} history={history.actionsOf} />
            <section aria-labelledby="application-notes">
              <h4 id="application-notes">跟进记录</h4>
              {data.notes.length === 0 && <p className={look.quiet}>还没有跟进记录</p>}
              <ul className={styles.notes}>
                {data.notes.map(note => (
                  <li key={note.id}>
                    <p>{note.text}</p>
                    <p className={look.quiet}>
                      {note.createdByName} {formatInstant(note.createdAt)}
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          </div>
        ) : application.isError ? (
          <LoadFailure error={application.error} onRetry={() => void application.refetch()} />
        ) : (
          <LoadingLines lines={10} />
        )}
      </DrawerBody>
      {history.drawer}
    </Drawer>
  )
}

/** Shown once it is asked for, with a mark of who looks; each look is logged. */
function Licence({ id }: { id: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  if (failed) return <span role="alert">图片不能显示，请关闭后重试</span>
  if (!isOpen)
    return (
      <Button kind="link" onClick={() => setIsOpen(true)}>
        查看（记入日志）
      </Button>
    )
  return (
    <img
      className={styles.licence}
      src={`/api/partner-applications/${id}/licence`}
      alt="营业执照"
      onError={() => setFailed(true)}
    />
  )
}

/** What can be done with it, each disabled with its reason once it cannot. */
function Steps({ data, history }: { data: Details; history: ReturnType<typeof useHistory>['actionsOf'] }) {
  const [open, setOpen] = useState<'note' | 'refuse' | 'accept' | null>(null)
  const contact = useMutation({
    mutationFn: () => applicationsApi.contact({ id: data.id }),
    onSuccess: () => toast.success('已标记为联系中'),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('partnerApplications') : reread()),
  })
  const refused = (step: ApplicationStep) => {
    const code = refuseStep(data.state, step)
    return code && DECISION_REFUSALS[code]
  }
  return (
    <div className={styles.steps}>
      <Permit permission="partners.manage">
        <Button kind="primary" disabled={refused('accept')} onClick={() => setOpen('accept')}>
          成为合作伙伴
        </Button>
      </Permit>
      <Permit permission="partnerApplications.decide">
        <Button busy={contact.isPending} disabled={refused('contact')} onClick={() => contact.mutate()}>
          标记联系中
        </Button>
        <Button onClick={() => setOpen('note')}>记录跟进</Button>
        <Button changes disabled={refused('refuse')} onClick={() => setOpen('refuse')}>
          婉拒
        </Button>
      </Permit>
      {history({ kind: 'application', id: data.id, name: data.companyName }).map(
        ({ key, label, onClick }) => (
          <Button key={key} kind="quiet" onClick={onClick}>
            {label}
          </Button>
        ),
      )}
      {open === 'accept' && (
        <Suspense>
          <TakeOnDialog
            given={{
              companyName: data.companyName,
              districtCode: data.districtCode,
              contactName: data.contactName,
              mobile: data.mobile,
              ownerLoginName: data.mobile,
              ownerName: data.contactName,
              ownerMobile: data.mobile,
            }}
            send={(partner, idempotencyKey) =>
              applicationsApi.accept({ id: data.id, ...partner }, { idempotencyKey })
            }
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
      {open === 'note' && <NoteDialog id={data.id} onClose={() => setOpen(null)} />}
      {open === 'refuse' && <RefuseDialog data={data} onClose={() => setOpen(null)} />}
    </div>
  )
}

function NoteDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <FormDialog
      title="记录跟进"
      submitText="保存记录"
      of={APPLICATION_NOTE}
      told={{ text: { 'data-autofocus': true } }}
      send={async ({ text }) => {
        await applicationsApi.note({ id, text })
        toast.success('已记录')
        await reread()
      }}
      onClose={onClose}
    />
  )
}

function RefuseDialog({ data, onClose }: { data: Details; onClose: () => void }) {
  return (
    <FormDialog
      title={`婉拒「${data.companyName}」？`}
      submitText="婉拒申请"
      of={DECLINING}
      told={{ reason: { 'data-autofocus': true } }}
      send={async ({ reason }) => {
        await applicationsApi.refuse({ id: data.id, reason }).catch((error: unknown) => {
          readAgain('partnerApplications')
          throw error
        })
        toast.success('已婉拒，结果已短信告知申请人')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
