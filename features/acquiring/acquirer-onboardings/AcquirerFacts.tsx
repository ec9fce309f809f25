// What an acquirer asks of a shop, in its order and names, what is wanting, and where it stands.
import { lazy, type ReactNode, useState } from 'react'
import { DocumentUpload } from '#features/care/documents/DocumentField.tsx'
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { ACQUIRER_SOURCES } from '#kit/ports/acquirers.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import styles from './acquirer.module.css'
import type { AcquirerData } from './acquirerApi.tsx'
import { ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import {
  APPROVAL_STATES,
  CHANNEL_STATES,
  type HOMES,
  MERCHANT_STANDINGS,
  REASON_FIELD_KEYS,
  REASON_FIELDS,
} from './rules.ts'

const VerificationDialog = lazy(() => import('#features/care/verification/VerificationDialog.tsx'))

type Props = { data: AcquirerData }

export function Reasons({ data: { reasons, state } }: Props) {
  const told = REASON_FIELD_KEYS.filter(field => reasons[field])
  if (told.length === 0) return null
  return (
    <section className={styles.reasons} aria-label="驳回原因">
      <h2>{state === 'refused' ? '渠道驳回，请修改后重新提交' : '进件被驳回，请修改后重新提交'}</h2>
      <ul>
        {told.map(field => (
          <li key={field}>
            <b>{REASON_FIELDS[field]}</b> {reasons[field]}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What is wanting, and the way to where it is said; also what went missing elsewhere once it was handed in. */
export function Lacking({ data: { lacking, merchantId, editRefusal, state } }: Props) {
  const maySeeIdentity = usePermission('verification.view')
  const mayApply = usePermission('paymentApplications.edit')
  const [identifying, setIdentifying] = useState(false)
  if (state === 'opened' || lacking.length === 0) return null
  const has = (home: keyof typeof HOMES) => lacking.some(one => one.home === home)
  return (
    <section className={styles.lacking} aria-label="还需要的资料">
      <h2>{editRefusal === null ? '提交审核前还需要' : '资料不完整，请核对后再送件'}</h2>
      <ul>
        {lacking.map(({ field, words }) => (
          <li key={field}>{words}</li>
        ))}
      </ul>
      <div className={styles.steps}>
        {has('identity') && maySeeIdentity && (
          <Button kind="link" onClick={() => setIdentifying(true)}>
            填写实名资料
          </Button>
        )}
        {has('account') && mayApply && (
          <Link to="/admin/schedule/submitPayment" search={{ user_id: merchantId }}>
            填写支付申请的收款账户
          </Link>
        )}
        {has('shop') && (
          <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchantId }}>
            填写商户资料
          </Link>
        )}
      </div>
      <Suspense>
        {identifying && (
          <VerificationDialog
            merchantId={merchantId}
            requestId={null}
            onClose={() => {
              setIdentifying(false)
              void reread()
            }}
          />
        )}
      </Suspense>
    </section>
  )
}

export function AcquirerFacts({ data }: Props) {
  const at = (label: string, when: string | null, by = ''): ReactNode =>
    when && (
      <Fact label={label}>
        <Instant at={when} /> {by}
      </Fact>
    )
  return (
    <div className={styles.beside}>
      <Facts>
        <Fact label={FIELDS.approvalState.label}>
          <StatusTag tone={FIELDS.approvalState.tones[data.approvalState]}>
            {APPROVAL_STATES[data.approvalState]}
          </StatusTag>
        </Fact>
        <Fact label={FIELDS.state.label}>
          <StatusTag tone={FIELDS.state.tones[data.state]}>{CHANNEL_STATES[data.state]}</StatusTag>
        </Fact>
        {!data.isActive && <Fact label={FIELDS.isActive.label}>已停用</Fact>}
        <Fact label={FIELDS.code.label}>{data.code}</Fact>
        {data.merchantStatus && (
          <Fact label={FIELDS.merchantStatus.label}>
            <StatusTag tone={FIELDS.merchantStatus.tones[data.merchantStatus]}>
              {MERCHANT_STANDINGS[data.merchantStatus]}
            </StatusTag>
          </Fact>
        )}
        <Fact label={FIELDS.remark.label}>{data.remark}</Fact>
        {at(FIELDS.createdAt.label, data.createdAt)}
        {at(FIELDS.submittedAt.label, data.submittedAt, data.submittedByName)}
        {at(FIELDS.handledAt.label, data.handledAt, data.handledByName)}
        {at(FIELDS.sentAt.label, data.sentAt, data.sentByName)}
        {at(FIELDS.openedAt.label, data.openedAt)}
        {at(FIELDS.handedOverAt.label, data.handedOverAt, data.handedOverByName)}
      </Facts>
      <Facts>
        {toldOnce(data.lines).map(line => (
          <Line key={line.name} {...line} />
        ))}
      </Facts>
    </div>
  )
}

/** What a form asks for under several names in a row is told once, with all of them. */
function toldOnce(lines: AcquirerData['lines']): AcquirerData['lines'] {
  const told: AcquirerData['lines'] = []
  for (const line of lines) {
    const last = told.at(-1)
    if (last && last.source === line.source && last.value === line.value)
      told[told.length - 1] = { ...last, name: `${last.name} ${line.name}` }
    else told.push(line)
  }
  return told
}

/** Under the name that the acquirer's form has for it; a name for programs stands behind our word. */
function Line({ name, source, value }: AcquirerData['lines'][number]) {
  const isSpoken = /\p{Script=Han}/u.test(name)
  return (
    <Fact label={isSpoken ? name : ACQUIRER_SOURCES[source]}>
      {value && (
        <>
          {source === 'contactPhone' ? <PhoneNumber number={value} /> : value}
          {!isSpoken && <span className={styles.fileName}>{name}</span>}
        </>
      )}
    </Fact>
  )
}

type Picture = AcquirerData['pictures'][number]

export function Pictures({ data }: Props) {
  const mayKeep = usePermission('documents.keep') && data.editRefusal === null
  return (
    <section aria-label="图片资料" className={styles.papers}>
      {data.pictures.map(picture => (
        <div key={picture.fileName}>
          <OnePicture picture={picture} merchantId={data.merchantId} mayKeep={mayKeep} />
          {data.reasons[picture.kind] && (
            <span className={styles.refused}>驳回原因：{data.reasons[picture.kind]}</span>
          )}
        </div>
      ))}
    </section>
  )
}

type PictureProps = { picture: Picture; merchantId: number; mayKeep: boolean }

/** As the shop has it; another one is the shop's from then on. */
function OnePicture({ picture: { kind, paper, fileName }, merchantId, mayKeep }: PictureProps) {
  const [replacing, setReplacing] = useState(false)
  if (mayKeep && (paper === null || replacing))
    return (
      <DocumentUpload
        merchantId={merchantId}
        kind={kind}
        purpose="paymentApplication"
        value={null}
        onChange={id => {
          if (id === null) return
          setReplacing(false)
          void reread()
        }}
      />
    )
  return (
    <PaperFigure paper={paper ?? undefined} kind={kind} purpose="paymentApplication">
      <span className={styles.fileName}>{fileName}</span>
      {mayKeep && (
        <Button kind="link" onClick={() => setReplacing(true)}>
          更换
        </Button>
      )}
    </PaperFigure>
  )
}
