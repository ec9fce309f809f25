import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useRef } from 'react'
import { AGENT_PROFILE_FIELDS as FIELDS } from '#features/office/agents/fields.ts'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import { brokenOf } from '#kit/declare/form.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { SESSION_KEY } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { agentProfile } from './contract.ts'
import type { Profile } from './ProfilePage.tsx'
import {
  asDomain,
  brokenProfile,
  DOMAIN,
  LOGO,
  LOGO_KB,
  PROFILE_REFUSALS,
  type ProfileForm,
  type ProfileRefusal,
  refuseDomain,
} from './rules.ts'

const profileApi = api<typeof agentProfile>('agentProfile')

type Values = ProfileForm & {
  contactName: string
  districtCode: string
  address: string
  logoId: string | null
}

/** Everything that is the agency's own to change. */
export default function ProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const uploads = useUploads()
  const taken = useRef<string | null>(null)
  const refuse = (values: Values) => {
    const sending = uploads.broken()
    if (sending) return sending
    const broken = brokenProfile(values)
    if (taken.current !== null && taken.current === asDomain(values.domainLabel))
      broken.push({ field: 'domainLabel', code: 'DOMAIN_TAKEN' })
    return [
      ...brokenOf(FIELDS, values),
      ...broken.map(({ field, code }) => ({ field, message: PROFILE_REFUSALS[code] })),
    ]
  }
  const submit = async (values: Values) => {
    await profileApi.change(values)
    toast.success('修改成功')
    await reread()
    readAgain(SESSION_KEY)
  }
  return (
    <FormDialog<Values>
      title="修改公司资料"
      submitText="保存"
      width={640}
      initial={valuesOf(profile)}
      refuse={refuse}
      onSubmit={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <PictureField
            form={form}
            name="logoId"
            label="公司标志"
            purpose="logo"
            onlyOne="只能上传一张标志"
            most={LOGO_KB}
            hint={LOGO.hint}
            wide
            uploads={uploads}
          />
          <FormGrid>
            <GroupFields fields={COMPANY} group="company" form={form} />
            <Field form={form} name="districtCode" label={FIELDS.districtCode.label}>
              {control => (
                <RegionPicker
                  {...control}
                  value={form.draft.districtCode}
                  onChange={districtCode => form.change({ districtCode })}
                />
              )}
            </Field>
            <GroupFields fields={ADDRESS} group="company" form={form} />
            <DomainField
              form={form}
              profile={profile}
              onKnown={label => {
                taken.current = label
              }}
            />
            <GroupFields fields={FIELDS} group="service" form={form} />
          </FormGrid>
        </>
      )}
    </FormDialog>
  )
}

const { address, ...COMPANY } = FIELDS
const ADDRESS = { address }

function valuesOf(profile: Profile): Values {
  const { contactName, telephone, districtCode, address, hotline, qq, wechat, logoId } = profile
  const domainLabel = profile.domainLabel ?? ''
  return { contactName, telephone, districtCode, address, domainLabel, hotline, qq, wechat, logoId }
}

type DomainProps = {
  form: FieldsOf<Values>
  profile: Profile
  /** What is another's, once it is known as such. */
  onKnown: (taken: string | null) => void
}

/** Says while one types whether the domain may be chosen. */
function DomainField({ form, profile: { domainLabel, domainSuffix }, onKnown }: DomainProps) {
  const typed = useDeferredValue(asDomain(form.draft.domainLabel))
  const isAsked = domainSuffix !== null && refuseDomain(typed) === null && typed !== domainLabel
  const answer = useQuery({ ...profileApi.domain.query({ label: typed }), enabled: isAsked })
  const refusal: ProfileRefusal | null = (isAsked && answer.data?.refusal) || null
  onKnown(refusal && typed)
  const message = refusal && PROFILE_REFUSALS[refusal]
  const known = { ...form, messageOf: (field: string) => message ?? form.messageOf(field) }
  const lock = domainSuffix === null ? PROFILE_REFUSALS.DOMAIN_OFF : null
  return (
    <TextField
      form={known}
      name="domainLabel"
      label={FIELDS.domainLabel.label}
      hint={isAsked && answer.data?.refusal === null ? '可以使用' : HINT}
      unit={domainSuffix === null ? undefined : `.${domainSuffix}`}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={DOMAIN.max}
      lock={lock}
      disabled={lock !== null}
    />
  )
}

const HINT = `${DOMAIN.min} 至 ${DOMAIN.max} 个小写字母、数字或减号`
