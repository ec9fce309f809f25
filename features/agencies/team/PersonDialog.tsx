import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useRef } from 'react'
import type { DataScope } from '#features/office/access/rules.ts'
import type { Meant } from '#kit/declare/form.ts'
import { cleanAccount } from '#kit/words/cleaned.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { StaffRow, team } from './contract.ts'
import { PERSON, STAFF_FIELDS } from './fields.ts'
import {
  brokenStaff,
  DATA_SCOPES,
  LIMITS,
  refuseLoginName,
  refuseNewPassword,
  STAFF_REFUSALS,
} from './rules.ts'

const teamApi = api<typeof team>('team')

type Values = Meant<typeof PERSON>

/** A new person with a first password, or everything but the password of one who is there. */
export default function PersonDialog({ person, onClose }: { person: StaffRow | null; onClose: () => void }) {
  const taken = useRef<string | null>(null)
  const isOwner = person?.isOwner ?? false
  const refuse = (values: Values) => {
    const broken = brokenStaff(values, { isOwner })
    const password = person === null ? refuseNewPassword(values.password, values.loginName) : null
    if (password) broken.push({ field: 'password', code: password })
    if (taken.current === cleanAccount(values.loginName))
      broken.unshift({ field: 'loginName', code: 'LOGIN_NAME_TAKEN' })
    return broken.map(({ field, code }) => ({ field, message: STAFF_REFUSALS[code] }))
  }
  const send = async ({ password, ...form }: Values) => {
    if (person) await teamApi.editPerson({ ...form, id: person.id })
    else await teamApi.addPerson({ ...form, password })
    toast.success(person ? '修改成功' : '新增成功，请把账号和密码告诉本人')
    await reread()
  }
  return (
    <FormDialog<typeof PERSON>
      title={person ? `编辑员工：${person.name}` : '新增员工'}
      submitText="保存"
      width={560}
      of={PERSON}
      known={person}
      without={person ? ['password'] : []}
      refuse={refuse}
      tellsAll
      send={send}
      onClose={onClose}
    >
      {form => (
        <>
          <FormGrid>
            <FormFields form={form} only={['name', 'mobile']} />
            <LoginNameField
              form={form}
              own={person}
              onKnown={name => {
                taken.current = name
              }}
            />
            <FormFields
              form={form}
              only={['password']}
              told={{ password: { autoComplete: 'new-password', maxLength: LIMITS.password } }}
            />
            <RoleField form={form} person={person} />
            <LabelField form={form} person={person} />
            <FormFields form={form} only={['wechat', 'remark']} />
            <ScopeField form={form} isOwner={isOwner} />
          </FormGrid>
          <FormFields form={form} only={['portraitId']} />
        </>
      )}
    </FormDialog>
  )
}

type LoginNameProps = {
  form: FieldsOf<{ loginName: string }>
  own: StaffRow | null
  /** Another's login name, once it is known as such. */
  onKnown: (taken: string | null) => void
}

/** Says while one types whether the login name is free. */
function LoginNameField({ form, own, onKnown }: LoginNameProps) {
  const typed = useDeferredValue(cleanAccount(form.draft.loginName))
  const isAsked = refuseLoginName(typed) === null && typed !== own?.loginName
  const answer = useQuery({
    ...teamApi.loginName.query({ loginName: typed, ...(own && { id: own.id }) }),
    enabled: isAsked,
  })
  const isTaken = isAsked && answer.data?.isFree === false
  onKnown(isTaken ? typed : null)
  const known = { ...form, messageOf: (field: string) => (isTaken ? TAKEN : form.messageOf(field)) }
  return (
    <TextField
      form={known}
      name="loginName"
      label={STAFF_FIELDS.loginName.label}
      hint={isAsked && answer.data?.isFree ? '可以使用' : '4 至 11 位数字，可用手机号'}
      inputMode="numeric"
      autoComplete="off"
      maxLength={LIMITS.loginName}
      required
    />
  )
}

const TAKEN = STAFF_REFUSALS.LOGIN_NAME_TAKEN

function RoleField({ form, person }: { form: FieldsOf<{ roleId: number | null }>; person: StaffRow | null }) {
  const { accountId, userType } = useSession()
  const roles = useQuery(teamApi.roleOptions.query())
  const lock = person?.isOwner
    ? STAFF_REFUSALS.OWNER_ROLE
    : person?.id === accountId
      ? STAFF_REFUSALS.SELF_ROLE
      : null
  const offered = roles.data?.rows.filter(
    ({ id, enabled, isBeyond }) => id === person?.roleId || (enabled && (userType === 0 || !isBeyond)),
  )
  return (
    <Field
      form={form}
      name="roleId"
      label={STAFF_FIELDS.roleId.label}
      required={!person?.isOwner}
      lock={lock}
    >
      {control => (
        <Select
          {...control}
          value={form.draft.roleId ?? undefined}
          disabled={lock !== null}
          placeholder={person?.isOwner ? '负责人' : STAFF_REFUSALS.ROLE_REQUIRED}
          notFound="还没有可用的角色，请先在角色管理中新增"
          options={offered?.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={roleId => form.change({ roleId: roleId ?? null })}
        />
      )}
    </Field>
  )
}

/** What the person is called beside the name where shops and colleagues see it. */
function LabelField({
  form,
  person,
}: {
  form: FieldsOf<{ labelId: number | null }>
  person: StaffRow | null
}) {
  const labels = useQuery(teamApi.labelOptions.query())
  const own = person?.labelId && person.labelName ? [{ value: person.labelId, label: person.labelName }] : []
  const offered = labels.data?.rows.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Field
      form={form}
      name="labelId"
      label={STAFF_FIELDS.labelId.label}
      hint={STAFF_FIELDS.labelId.control.hint}
    >
      {control => (
        <Select
          {...control}
          value={form.draft.labelId ?? undefined}
          placeholder="不设置"
          onSearch={null}
          allowClear
          options={[...own.filter(({ value }) => !offered.some(one => one.value === value)), ...offered]}
          onChange={labelId => form.change({ labelId: labelId ?? null })}
        />
      )}
    </Field>
  )
}

const SCOPES = Object.entries(DATA_SCOPES).map(([value, label]) => ({ value: value as DataScope, label }))

/** Which of the agency's shops the person sees. */
function ScopeField({
  form,
  isOwner,
}: {
  form: FieldsOf<{ dataScope: DataScope | null }>
  isOwner: boolean
}) {
  return (
    <Field
      form={form}
      name="dataScope"
      label={STAFF_FIELDS.dataScope.label}
      lock={isOwner ? STAFF_REFUSALS.OWNER_SCOPE : null}
    >
      {control => (
        <Select
          {...control}
          value={form.draft.dataScope ?? undefined}
          disabled={isOwner}
          options={SCOPES}
          onSearch={null}
          onChange={dataScope => dataScope && form.change({ dataScope })}
        />
      )}
    </Field>
  )
}
