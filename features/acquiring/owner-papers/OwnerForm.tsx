import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  PAPER_NAMES,
  PAY_TYPE_KEYS,
  PAY_TYPES,
  type PayType,
} from '#features/acquiring/payment-applications/rules.ts'
import { PAPERS as READ_PAPERS, READ_PROBLEMS } from '#features/care/verification/rules.ts'
import { formatDay } from '#kit/time.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { TextField } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import { OwnerSign } from './OwnerSign.tsx'
import styles from './owner.module.css'
import { type OwnerFormData, ownerPapersApi } from './ownerPapersApi.tsx'
import { PaperShot } from './PaperShot.tsx'
import {
  brokenOwner,
  messageOf as messageOfBroken,
  OWNER_NUMBERS,
  OWNER_PAPER_NAMES,
  OWNER_TEXT_KEYS,
  OWNER_TEXTS,
  type OwnerPaperName,
  type OwnerText,
  REASON_FIELD_KEYS,
  REASON_FIELDS,
  type ReasonField,
} from './rules.ts'

type Draft = Record<OwnerText | 'idNumber' | 'accountNumber', string> &
  Record<OwnerPaperName, boolean> & { payType: PayType }
type Props = { code: string; data: OwnerFormData; onAgain: () => Promise<unknown> }

/** What is asked of the owner: each picture is kept as soon as it is taken, each text when its field is left. */
export default function OwnerForm({ code, data, onAgain }: Props) {
  const [isSigning, setSigning] = useState(false)
  const uploads = useUploads()
  const keeping = useKeeping(code, data, () => void onAgain())
  // No fields: papers are taken and read, and which are asked for follows from the account.
  const form = useForm<Draft>({
    initial: initialOf(data),
    judge: draft => uploads.broken() ?? brokenIn(draft, keeping.masked, data.permits),
    send: async draft => {
      await keeping.keep(draft)
      await onAgain()
    },
    onRefused: error => {
      if (isSignedOut(error)) void onAgain()
      return false
    },
    onDone: () => setSigning(true),
  })
  const latest = useRef(form.draft)
  useEffect(() => {
    latest.current = form.draft
  }, [form.draft])
  const keep = () => void keeping.tryToKeep(form.draft)
  const read = async (paper: OwnerPaperName) => {
    await keeping.tryToKeep(form.draft)
    if (!isReadable(paper) || !data.isRead) return
    const { filled, problem } = await ownerPapersApi.read({ code, paper })
    const page = await ownerPapersApi.page({ code })
    if (page.form) {
      // What was typed meanwhile stays.
      const texts = Object.entries(keeping.take(page.form, filled))
      const empty = texts.filter(([key]) => latest.current[key as OwnerText] === '')
      form.change(Object.fromEntries(empty) as Partial<Draft>)
    }
    if (problem !== null) return READ_PROBLEMS[problem]
    return filled.length > 0 ? '已识别，请核对填写的内容' : undefined
  }
  if (isSigning)
    return (
      <OwnerSign
        code={code}
        data={data}
        onBack={() => setSigning(false)}
        onChanged={onAgain}
        onDone={onAgain}
      />
    )
  return (
    <FormElement className={styles.form} onSubmit={() => void form.submit()}>
      <Sent reasons={data.reasons} onField={form.focus} />
      <fieldset className={styles.parts} onBlur={keep}>
        <Parts code={code} form={form} data={data} masked={keeping.masked} onBusy={uploads.at} read={read} />
      </fieldset>
      <p className={styles.problem} role="alert">
        {form.message}
      </p>
      <div className={styles.foot}>
        <small aria-live="polite">{keeping.said}</small>
        <Button kind="primary" type="submit" busy={form.busy}>
          下一步：核对并签名
        </Button>
      </div>
    </FormElement>
  )
}

const isReadable = (paper: OwnerPaperName) => paper in READ_PAPERS || paper === 'bankCardId'

/** What was wrong when it was sent back; each leads to its field. */
function Sent({ reasons, onField }: { reasons: OwnerFormData['reasons']; onField: (field: string) => void }) {
  const told = REASON_FIELD_KEYS.filter(field => reasons[field])
  if (told.length === 0) return null
  return (
    <section className={styles.reasons} aria-label="退回原因">
      <h2>资料被退回，请修改后重新提交</h2>
      <ul>
        {told.map(field => (
          <li key={field}>
            <b>{REASON_FIELDS[field]}</b> {reasons[field]}{' '}
            {field !== 'other' && (
              <Button kind="link" aria-label={`去修改${REASON_FIELDS[field]}`} onClick={() => onField(field)}>
                去修改
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type PartsProps = {
  code: string
  form: Form<Draft>
  data: OwnerFormData
  masked: Masked
  onBusy: (field: string) => (busy: boolean) => void
  read: (paper: OwnerPaperName) => Promise<string | undefined>
}

function Parts({ code, form, data, masked, onBusy, read }: PartsProps) {
  const [notes, setNotes] = useState<Partial<Record<OwnerPaperName, string>>>({})
  const reasonOf = (field: ReasonField) => {
    const reason = data.reasons[field]
    return reason && `退回原因：${reason}`
  }
  const shot = (name: OwnerPaperName) => (
    <PaperShot
      key={name}
      code={code}
      form={form}
      name={name}
      hint={notes[name] ?? reasonOf(name)}
      isRequired={(PAPER_NAMES as readonly string[]).includes(name)}
      onBusy={onBusy(name)}
      onKept={() => {
        const isAsked = data.isRead && isReadable(name)
        setNotes({ ...notes, [name]: isAsked ? '正在识别…' : undefined })
        read(name).then(
          note => setNotes(known => ({ ...known, [name]: note })),
          error => setNotes(known => ({ ...known, [name]: messageOf(error) })),
        )
      }}
    />
  )
  const text = (name: OwnerText, more: { inputMode?: 'email' } = {}) => (
    <TextField
      form={form}
      name={name}
      label={OWNER_TEXTS[name]}
      required
      hint={reasonOf(name)}
      maxLength={100}
      {...more}
    />
  )
  const number = (name: keyof Masked, mode: 'text' | 'numeric') => (
    <TextField
      form={form}
      name={name}
      label={OWNER_NUMBERS[name]}
      required
      hint={reasonOf(name)}
      inputMode={mode}
      maxLength={30}
      placeholder={masked[name] === '' ? '' : `已填写 ${masked[name]}`}
    />
  )
  const isCorporate = form.draft.payType === 'corporate'
  const { permits } = data
  return (
    <>
      <section className={styles.card} aria-label="营业执照">
        <h2>营业执照</h2>
        {shot('licenceId')}
        {text('company')}
        {text('creditCode')}
        {text('legalPerson')}
      </section>
      <section className={styles.card} aria-label="身份证">
        <h2>身份证</h2>
        <div className={styles.shots}>
          {shot('idFrontId')}
          {shot('idBackId')}
        </div>
        {text('personInCharge')}
        {number('idNumber', 'text')}
      </section>
      <section className={styles.card} aria-label="收款账户">
        <h2>收款账户</h2>
        <ChoiceField
          form={form}
          name="payType"
          label={REASON_FIELDS.payType}
          options={PAY_TYPE_KEYS.map(value => ({ value, label: PAY_TYPES[value] }))}
        />
        {shot(isCorporate ? 'permitId' : 'bankCardId')}
        {number('accountNumber', 'numeric')}
        {text('bankName')}
        {text('branchName')}
        {text('email', { inputMode: 'email' })}
      </section>
      <section className={styles.card} aria-label="门店照片">
        <h2>门店照片</h2>
        <div className={styles.shots}>
          {shot('shopFrontId')}
          {shot('checkstandId')}
          {shot('shopInsideId')}
        </div>
      </section>
      <section className={styles.card} aria-label="行业资质">
        <h2>行业资质{permits.areRequired ? '' : '（选填）'}</h2>
        <p className={look.quiet}>
          {permits.words === ''
            ? '如食品经营许可证，有则拍照上传。'
            : `${permits.areRequired ? '须上传' : '可上传'}：${permits.words}`}
        </p>
        <div className={styles.shots}>
          {shot('tradePermitId')}
          {shot('certificateId')}
        </div>
      </section>
      <p className={look.quiet}>证件须为法定代表人（经营者）本人所有，图片完整、清晰、光线均匀。</p>
    </>
  )
}

/** The phone has to prove itself again. */
const isSignedOut = (error: unknown) => refusalOf(error)?.code === 'SIGNED_OUT'

type Masked = { idNumber: string; accountNumber: string }
const maskedOf = (given: { idNumberMasked: string; accountNumberMasked: string }): Masked => ({
  idNumber: given.idNumberMasked,
  accountNumber: given.accountNumberMasked,
})

function initialOf({ given, papers }: OwnerFormData): Draft {
  const taken = OWNER_PAPER_NAMES.map(name => [name, papers.includes(name)])
  return {
    ...textsOf(given),
    ...{ payType: given.payType, idNumber: '', accountNumber: '' },
    ...(Object.fromEntries(taken) as Record<OwnerPaperName, boolean>),
  }
}

const textsOf = (given: Record<OwnerText, string>) =>
  Object.fromEntries(OWNER_TEXT_KEYS.map(key => [key, given[key]])) as Record<OwnerText, string>

function brokenIn(draft: Draft, masked: Masked, permits: OwnerFormData['permits']) {
  const papers = OWNER_PAPER_NAMES.map(name => [name, draft[name] ? 1 : null])
  const form = {
    ...{ ...draft, phone: '' },
    ...(Object.fromEntries(papers) as Record<OwnerPaperName, number | null>),
    idNumber: { typed: draft.idNumber.trim(), kept: masked.idNumber !== '' },
    accountNumber: { typed: draft.accountNumber.trim(), kept: masked.accountNumber !== '' },
  }
  return brokenOwner(form, formatDay(new Date()), permits).map(broken => ({
    field: broken.field,
    message: messageOfBroken(broken),
  }))
}

/** What of the draft the server has; what it has not is sent when a field is left, and again once the network is back. */
function useKeeping(code: string, data: OwnerFormData, onSignedOut: () => void) {
  const [said, setSaid] = useState('填写的内容会自动保存')
  const [masked, setMasked] = useState(maskedOf(data.given))
  const kept = useRef<Record<string, string>>({
    ...textsOf(data.given),
    ...{ payType: data.given.payType, idNumber: '', accountNumber: '' },
  })
  const waiting = useRef<Draft | null>(null)
  const keep = async (draft: Draft) => {
    const typed = Object.fromEntries(
      [...OWNER_TEXT_KEYS, 'payType' as const, 'idNumber' as const, 'accountNumber' as const].map(key => [
        key,
        draft[key],
      ]),
    )
    const changed = Object.entries(typed).filter(
      ([key, text]) => text !== kept.current[key] && (text !== '' || !(key in OWNER_NUMBERS)),
    )
    if (changed.length === 0) return
    setSaid('正在保存…')
    const answer = await ownerPapersApi.save({ code, ...Object.fromEntries(changed) })
    kept.current = { ...kept.current, ...Object.fromEntries(changed) }
    setMasked(maskedOf(answer))
    setSaid('已保存')
  }
  const tryToKeep = async (draft: Draft) => {
    waiting.current = draft
    try {
      await keep(draft)
      waiting.current = null
    } catch (error) {
      if (isSignedOut(error)) onSignedOut()
      setSaid(refusalOf(error) ? messageOf(error) : '网络中断，恢复后自动保存')
    }
  }
  const again = useEffectEvent(() => {
    if (waiting.current) void tryToKeep(waiting.current)
  })
  useEffect(() => {
    const online = () => again()
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [])
  /** What was read of a paper, as the draft takes it. */
  const take = ({ given }: OwnerFormData, filled: readonly string[]): Partial<Draft> => {
    setMasked(maskedOf(given))
    const texts = OWNER_TEXT_KEYS.filter(key => filled.includes(key)).map(key => [key, given[key]])
    kept.current = { ...kept.current, ...Object.fromEntries(texts) }
    return Object.fromEntries(texts) as Partial<Draft>
  }
  return { said, masked, keep, tryToKeep, take }
}
