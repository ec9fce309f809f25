import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useRef } from 'react'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import type { Meant, Typed } from '#kit/declare/form.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { SESSION_KEY } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { FormGrid } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { agentProfile, Profile } from './contract.ts'
import { PROFILE } from './fields.ts'
import {
  asDomain,
  brokenProfile,
  DOMAIN,
  LOGO_KB,
  PROFILE_REFUSALS,
  type ProfileRefusal,
  refuseDomain,
} from './rules.ts'

const profileApi = api<typeof agentProfile>('agentProfile')

type Values = Meant<typeof PROFILE>

/** Everything that is the agency's own to change. */
export default function ProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const taken = useRef<string | null>(null)
  const refuse = (values: Values) => {
    const broken = brokenProfile(values)
    if (taken.current !== null && taken.current === asDomain(values.domainLabel))
      broken.push({ field: 'domainLabel', code: 'DOMAIN_TAKEN' })
    return broken.map(({ field, code }) => ({ field, message: PROFILE_REFUSALS[code] }))
  }
  const send = async (values: Values) => {
    await profileApi.change(values)
    toast.success('修改成功')
    await reread()
    readAgain(SESSION_KEY)
  }
  return (
    <FormDialog<typeof PROFILE>
      title="修改公司资料"
      submitText="保存"
      width={640}
      of={PROFILE}
      known={{ ...profile, domainLabel: profile.domainLabel ?? '' }}
      refuse={refuse}
      send={send}
      onClose={onClose}
    >
      {form => (
        <>
          <PictureField
            form={form}
            name="logoId"
            label={PROFILE.logoId.label}
            purpose="logo"
            onlyOne="只能上传一张标志"
            most={LOGO_KB}
            hint={PROFILE.logoId.control.hint}
            wide
            uploads={form.uploads}
          />
          <FormGrid>
            <FormFields form={form} only={['contactName', 'telephone', 'districtCode', 'address']}>
              {{
                districtCode: control => (
                  <RegionPicker
                    {...control}
                    value={form.draft.districtCode}
                    onChange={districtCode => form.change({ districtCode })}
                  />
                ),
              }}
            </FormFields>
            <DomainField
              form={form}
              profile={profile}
              onKnown={label => {
                taken.current = label
              }}
            />
            <FormFields form={form} only={['hotline', 'qq', 'wechat']} />
          </FormGrid>
        </>
      )}
    </FormDialog>
  )
}

type DomainProps = {
  form: FieldsOf<Typed<typeof PROFILE>>
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
      label={PROFILE.domainLabel.label}
      hint={isAsked && answer.data?.refusal === null ? '可以使用' : PROFILE.domainLabel.control.hint}
      unit={domainSuffix === null ? undefined : `.${domainSuffix}`}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={DOMAIN.max}
      lock={lock}
      disabled={lock !== null}
    />
  )
}
