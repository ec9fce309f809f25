import { useRef, useState } from 'react'
import { pictureRefusalText, refusePicture } from '#kit/picture.ts'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Field } from '#web/form/Field.tsx'
import { base64Of } from '#web/form/files/base64.ts'
import { type Shrinking, shrunkPicture } from '#web/form/files/shrink-picture.ts'
import { TextField } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import { PublicBrand, PublicForm, PublicReceived } from '#web/shell/PublicPage.tsx'
import { ApplyCode, type Draft } from './ApplyCode.tsx'
import styles from './apply.module.css'
import type { partnerApplications } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import { RegionSelects } from './RegionSelects.tsx'
import { APPLICATION_REFUSALS, brokenIn, LICENCE_LIMITS, APPLICATION_LIMITS as LIMITS } from './rules.ts'

const applicationsApi = api<typeof partnerApplications>('partnerApplications')

const EMPTY: Draft = {
  companyName: '',
  contactName: '',
  mobile: '',
  code: '',
  districtCode: '',
  address: '',
  sells: '',
  remark: '',
  licence: '',
}
/** Of a photo as a phone takes it; what is sent is smaller. */
const PHOTO_MAX_BYTES = 10 * 1024 * 1024

/** Tried in turn until the photo is small enough to be sent with the form. */
const SHRINKINGS: readonly Shrinking[] = [
  { side: LICENCE_LIMITS.side, quality: 0.8 },
  { side: 1_280, quality: 0.7 },
  { side: 1_024, quality: 0.6 },
  { side: 800, quality: 0.5 },
  { side: 640, quality: 0.4 },
]

/** Where a company applies to become a partner. Without shell, router and component library. */
export default function ApplyPage() {
  const [sent, setSent] = useState<Sent | null>(null)
  return (
    <main className={styles.apply}>
      <header className={styles.words}>
        <PublicBrand name="合作伙伴计划" />
        <h1>成为合作伙伴</h1>
        <p>销售和服务门店管理系统，按等级享受采购折扣。</p>
        <ol>
          <li>填写申请，用手机验证码确认</li>
          <li>渠道经理致电，确认区域和合作方式</li>
          <li>通过后短信发送邀请链接，设置密码即可登录后台</li>
        </ol>
        <p className={look.quiet}>资料只用于本次合作评估，营业执照仅厂商工作人员可见。</p>
      </header>
      {sent === null ? <ApplyForm onSent={setSent} /> : <Received {...sent} />}
    </main>
  )
}

type Sent = { mobile: string; dueOn: string }

function ApplyForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const dueOn = useRef('')
  // No fields: a door without an account, where the first bytes count.
  const form = useForm<Draft>({
    initial: EMPTY,
    judge: draft =>
      brokenIn(draft).map(({ field, code }) => ({ field, message: APPLICATION_REFUSALS[code] })),
    send: async draft => {
      dueOn.current = (await applicationsApi.submit(draft)).dueOn
    },
    onDone: ({ mobile }) => onSent({ mobile: cleanPhone(mobile), dueOn: dueOn.current }),
  })
  return (
    <PublicForm
      id="apply-title"
      title="合作申请"
      submitText="提交申请"
      busy={form.busy}
      message={form.message}
      onSubmit={() => void form.submit()}
      below={
        <p className={styles.back}>
          已是合作伙伴？
          <a className={look.inText} href="/login">
            去登录
          </a>
        </p>
      }
    >
      <TextField
        form={form}
        name="companyName"
        label={APPLICATION_FIELDS.companyName.label}
        required
        autoComplete="organization"
        maxLength={LIMITS.companyName}
      />
      <TextField
        form={form}
        name="contactName"
        label={APPLICATION_FIELDS.contactName.label}
        required
        autoComplete="name"
        maxLength={LIMITS.contactName}
      />
      <TextField
        form={form}
        name="mobile"
        label={APPLICATION_FIELDS.mobile.label}
        required
        digits
        inputMode="numeric"
        autoComplete="tel-national"
        maxLength={11}
      />
      <ApplyCode form={form} />
      <Field form={form} name="districtCode" label={APPLICATION_FIELDS.regionName.label} required>
        {control => (
          <RegionSelects
            control={control}
            value={form.draft.districtCode}
            onChange={districtCode => form.change({ districtCode })}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="address"
        label={APPLICATION_FIELDS.address.label}
        placeholder="选填"
        autoComplete="street-address"
        maxLength={LIMITS.address}
      />
      <TextField
        form={form}
        name="sells"
        label={APPLICATION_FIELDS.sells.label}
        placeholder="例如：收银设备、餐饮软件，覆盖的城市和门店数"
        required
        rows={3}
        maxLength={LIMITS.sells}
      />
      <Licence form={form} />
      <TextField
        form={form}
        name="remark"
        label={APPLICATION_FIELDS.remark.label}
        placeholder="选填"
        rows={2}
        maxLength={LIMITS.remark}
      />
    </PublicForm>
  )
}

/** A picture of the business licence, made small here; the server writes it anew. */
function Licence({ form }: { form: Form<Draft> }) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    const refusal = refusePicture(file, PHOTO_MAX_BYTES)
    if (refusal)
      return form.refuse({ field: 'licence', message: pictureRefusalText(refusal, PHOTO_MAX_BYTES) })
    setBusy(true)
    const shrunk = await shrunkPicture(file, SHRINKINGS, LICENCE_LIMITS.maxBytes)
    const licence = shrunk && (await base64Of(shrunk))
    setBusy(false)
    if (licence === null)
      form.refuse({ field: 'licence', message: pictureRefusalText('PICTURE_BROKEN', PHOTO_MAX_BYTES) })
    else form.change({ licence })
  }
  const { licence } = form.draft
  return (
    <Field form={form} name="licence" label="营业执照" hint="选填，jpg 或 png，不超过10MB" group>
      {control => (
        <div className={styles.licence}>
          <input
            ref={input}
            hidden
            type="file"
            accept="image/jpeg,image/png"
            aria-label="选择营业执照图片"
            onChange={event => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          {licence !== '' && <img src={`data:image/jpeg;base64,${licence}`} alt="营业执照预览" />}
          <Button
            id={control.id}
            busy={busy}
            aria-describedby={control['aria-describedby']}
            onClick={() => input.current?.click()}
          >
            {licence === '' ? '选择图片' : '重新选择'}
          </Button>
          {licence !== '' && (
            <Button kind="quiet" onClick={() => form.change({ licence: '' })}>
              移除
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function Received({ mobile, dueOn }: Sent) {
  return (
    <PublicReceived id="apply-received" title="申请已提交">
      <p>
        渠道经理最晚 <span className={look.number}>{dueOn}</span> 拨打{' '}
        <span className={look.number}>{mobile}</span>
        ，请保持电话畅通。结果会以短信告知。
      </p>
      <p>
        <a className={look.inText} href="/login">
          返回登录页
        </a>
      </p>
    </PublicReceived>
  )
}
