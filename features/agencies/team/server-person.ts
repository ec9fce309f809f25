// What is done to one person of the acting agency: each deed asks the rules, and is logged in words and without a password.
import { eq } from 'drizzle-orm'
import { knownWords } from '#features/agencies/sign-in/rules.ts'
import { refuseGuessed } from '#features/agencies/sign-in/server-strength.ts'
import type { DataScope } from '#features/office/access/rules.ts'
import { isGivenLabel, labelNameOf } from '#features/office/access/server-labels.ts'
import { setPassword } from '#features/office/access/server-passwords.ts'
import {
  type Account,
  endSessionsOf,
  insertAccount,
  isLoginNameTaken,
  lockAccount,
  lockOwners,
  removeAccount,
  tellAccess,
  updateAccount,
} from '#features/office/access/server-people.ts'
import { roles } from '#features/office/access/tables.ts'
import { resetFactors as takeFactors } from '#features/office/factors/server.ts'
import { handOverShops } from '#features/shops/merchants/server-changes.ts'
import { formatCount } from '#kit/money.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { refuse } from '#server/refuse.ts'
import { hashPassword } from '#server/secrets.ts'
import { requireFactor } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import type { team as contract } from './contract.ts'
import { STAFF_FIELDS } from './fields.ts'
import {
  brokenStaff,
  refuseNewPassword,
  refuseTouch,
  STAFF_REFUSALS,
  type StaffDeed,
  type StaffForm,
  type StaffRefusal,
} from './rules.ts'
import { beyondOf } from './server-tree.ts'

const DONE = { done: true } as const
/** Instead of a colleague: the shops have nobody. */
const NOBODY = 0

const told = ({ name, loginName }: Pick<Account, 'name' | 'loginName'>) => `${name}（${loginName}）`

/** What everybody knows of a person of the acting agency. */
function wordsOf({ actor }: Ctx, person: Pick<Account, 'loginName' | 'name' | 'mobile'>): string[] {
  return knownWords({ ...person, companyName: actor.companyName })
}

function refuseField(code: StaffRefusal | null, field: string): void {
  refuse(code, STAFF_REFUSALS, { field })
}

async function roleOf(ctx: Ctx, id: number | null) {
  if (id === null) return null
  const [role] = await ctx.db.select().from(roles).where(eq(roles.id, id))
  return role?.agentId === ctx.actor.agentId ? role : null
}

/** The person, locked, where the acting one may do this. */
async function touched(ctx: Ctx, id: number, deed: StaffDeed): Promise<Account> {
  const owners = deed === 'end' ? await lockOwners(ctx) : []
  const person = await lockAccount(ctx, id)
  ctx.object('account', id)
  const role = await roleOf(ctx, person.roleId)
  const isBeyondMe = await beyondOf(ctx)
  const target = {
    id,
    isOwner: person.isOwner,
    isBeyond: isBeyondMe(role?.nodeIds ?? null, person.dataScope),
  }
  refuse(refuseTouch(deed, ctx.actor, target), STAFF_REFUSALS)
  if (person.isOwner && deed === 'end' && !owners.some(owner => owner !== id))
    refuse('LAST_OWNER', STAFF_REFUSALS)
  return person
}

/** The name of the role that the person is to have; refuses one that cannot be given. */
async function givenRole(ctx: Ctx, roleId: number, before: number | null): Promise<string> {
  const role = await roleOf(ctx, roleId)
  if (!role) refuseField('ROLE_UNKNOWN', 'roleId')
  if (roleId !== before) {
    if (!role?.enabled) refuseField('ROLE_DISABLED', 'roleId')
    const isBeyondMe = await beyondOf(ctx)
    if (!ctx.actor.isOwner && isBeyondMe(role?.nodeIds ?? null)) refuseField('ROLE_GRANT', 'roleId')
  }
  return role?.name ?? ''
}

type Form = StaffForm & { portraitId: string | null }

async function refuseForm(ctx: Ctx, form: Form, before: Account | null): Promise<void> {
  const [broken] = brokenStaff(form, { isOwner: before?.isOwner ?? false })
  if (broken) refuseField(broken.code, broken.field)
  if (form.portraitId !== null && form.portraitId !== before?.portraitId)
    if (!(await isUploaded(ctx, form.portraitId, 'portrait'))) refuseField('PORTRAIT_UNKNOWN', 'portraitId')
  if (!(await isGivenLabel(ctx, form.labelId, before?.labelId ?? null)))
    refuseField('LABEL_UNKNOWN', 'labelId')
  if (await isLoginNameTaken(ctx, form.loginName, before?.id ?? null))
    refuseField('LOGIN_NAME_TAKEN', 'loginName')
}

/** Whoever sees its own shops alone shows nobody all. */
function refuseScope(ctx: Ctx, wanted: DataScope, before: DataScope): void {
  if (wanted === 'all' && before === 'own' && ctx.actor.seesOwnShops) refuseField('SCOPE_BEYOND', 'dataScope')
}

/** Another may have taken the login name meanwhile. */
function refuseTaken(written: number | 'taken'): number {
  if (written === 'taken') refuseField('LOGIN_NAME_TAKEN', 'loginName')
  return written as number
}

const LOGGED = {
  name: STAFF_FIELDS.name,
  loginName: STAFF_FIELDS.loginName,
  roleName: STAFF_FIELDS.roleName,
  labelName: STAFF_FIELDS.labelName,
  dataScope: STAFF_FIELDS.dataScope,
  mobile: STAFF_FIELDS.mobile,
  wechat: STAFF_FIELDS.wechat,
  remark: STAFF_FIELDS.remark,
} as const

export const addPerson: Verb<typeof contract.addPerson> = async (ctx, { password, ...form }) => {
  await refuseForm(ctx, form, null)
  refuseScope(ctx, form.dataScope, 'own')
  refuseField(refuseNewPassword(password, form.loginName), 'password')
  const roleName = await givenRole(ctx, form.roleId as number, null)
  await refuseGuessed(password, wordsOf(ctx, form), 'password')
  const passwordHash = await hashPassword(password)
  const id = refuseTaken(await insertAccount(ctx, { ...form, passwordHash, mustChangePassword: true }))
  ctx.object('account', id)
  const nobody: Record<string, unknown> = Object.fromEntries(Object.keys(LOGGED).map(key => [key, null]))
  ctx.note(
    told(form),
    changesOf(nobody, { ...form, roleName, labelName: await labelNameOf(ctx, form.labelId) }, LOGGED).filter(
      ({ after }) => after !== '',
    ),
  )
  return { id }
}

export const editPerson: Verb<typeof contract.editPerson> = async (ctx, { id, ...given }) => {
  const before = await touched(ctx, id, 'edit')
  const form = { ...given, labelId: given.labelId === undefined ? before.labelId : given.labelId }
  await refuseForm(ctx, form, before)
  const isMoved = form.roleId !== before.roleId
  refuseScope(ctx, form.dataScope, before.dataScope)
  if (before.isOwner && form.dataScope !== 'all') refuseField('OWNER_SCOPE', 'dataScope')
  if (isMoved && before.isOwner) refuseField('OWNER_ROLE', 'roleId')
  if (isMoved && id === ctx.actor.accountId) refuseField('SELF_ROLE', 'roleId')
  const roleName = before.isOwner ? null : await givenRole(ctx, form.roleId as number, before.roleId)
  const was = {
    ...before,
    roleName: (await roleOf(ctx, before.roleId))?.name ?? null,
    labelName: await labelNameOf(ctx, before.labelId),
  }
  const is = { ...form, roleName, labelName: await labelNameOf(ctx, form.labelId) }
  const changes: FieldChange[] = changesOf(was as Record<string, unknown>, is, LOGGED)
  if (form.portraitId !== before.portraitId)
    changes.push({
      name: STAFF_FIELDS.portraitId.label,
      before: before.portraitId && '已上传',
      after: form.portraitId && '新图片',
    })
  ctx.note(told(before), changes)
  // Codes for a forgotten password go there.
  if (form.mobile !== before.mobile) await requireFactor(ctx, ctx.actor, 'always')
  if (changes.length === 0) ctx.nothingChanged()
  else refuseTaken(await updateAccount(ctx, id, form))
  tellAccess(ctx, [id])
  return DONE
}

export const switchPerson: Verb<typeof contract.switchPerson> = async (ctx, input) => {
  const { id, enabled, successorId } = input
  const person = await touched(ctx, id, 'end')
  const changes = changesOf({ enabled: person.enabled }, { enabled }, STAFF_FIELDS)
  if (!enabled) changes.push(...(await handedOver(ctx, person, successorId)).changes)
  ctx.note(told(person), changes)
  if (changes.length === 0) ctx.nothingChanged()
  else await updateAccount(ctx, id, { enabled })
  return DONE
}

export const deletePerson: Verb<typeof contract.deletePerson> = async (ctx, { id, successorId }) => {
  const person = await touched(ctx, id, 'end')
  const role = await roleOf(ctx, person.roleId)
  const { changes, left } = await handedOver(ctx, person, successorId)
  if (left > 0) refuseField('SUCCESSOR_REQUIRED', 'successorId')
  await removeAccount(ctx, id)
  ctx.note(told(person), [
    { name: STAFF_FIELDS.loginName.label, before: person.loginName, after: null },
    ...(role ? [{ name: STAFF_FIELDS.roleName.label, before: role.name, after: null }] : []),
    ...changes,
  ])
  return DONE
}

export const handOver: Verb<typeof contract.handOver> = async (ctx, { id, successorId }) => {
  const person = await touched(ctx, id, 'edit')
  const { changes, moved } = await handedOver(ctx, person, successorId)
  ctx.note(told(person), changes)
  if (moved === 0) ctx.nothingChanged()
  return { shops: moved }
}

/** Gives the person's shops to a colleague, to nobody, or leaves them where they are; `left` are those that stay. */
async function handedOver(ctx: Ctx, person: Account, successorId: number | null) {
  const successor =
    successorId === null || successorId === NOBODY ? null : await successorOf(ctx, person, successorId)
  const { moved, left } = await handOverShops(ctx, {
    fromId: person.id,
    toId: successorId === null ? undefined : (successor?.id ?? null),
  })
  const changes: FieldChange[] =
    moved.length === 0
      ? []
      : [
          {
            name: `负责的商户（${formatCount(moved.length)} 家）`,
            before: person.name,
            after: successor?.name ?? '未分配',
          },
        ]
  // Stands in each shop's history too.
  for (const id of moved) ctx.object('merchant', id)
  return { moved: moved.length, left, changes }
}

async function successorOf(ctx: Ctx, person: Account, id: number): Promise<Account> {
  const successor = id === person.id ? null : await lockAccount(ctx, id)
  if (!successor?.enabled) refuseField('SUCCESSOR_UNKNOWN', 'successorId')
  return successor as Account
}

export const resetPassword: Verb<typeof contract.resetPassword> = async (ctx, { id, password }) => {
  const person = await touched(ctx, id, 'secure')
  refuseField(refuseNewPassword(password, person.loginName), 'password')
  await refuseGuessed(password, wordsOf(ctx, person), 'password')
  await setPassword(ctx, { accountId: id, password, mustChange: true })
  ctx.note(told(person), [{ name: '密码', before: '******', after: '已重置' }])
  return DONE
}

export const resetFactors: Verb<typeof contract.resetFactors> = async (ctx, { id }) => {
  const person = await touched(ctx, id, 'secure')
  await takeFactors(ctx, id)
  ctx.note(told(person), [{ name: '二次验证', before: '已设置', after: '已重置' }])
  return DONE
}

export const endSessions: Verb<typeof contract.endSessions> = async (ctx, { id }) => {
  const person = await touched(ctx, id, 'secure')
  const ended = await endSessionsOf(ctx, id)
  ctx.note(told(person), [{ name: '登录设备', before: `${ended} 个`, after: '已下线' }])
  if (ended === 0) ctx.nothingChanged()
  return { ended }
}
