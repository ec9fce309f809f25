import { PASSWORD_REFUSALS } from '#features/agencies/sign-in/rules.ts'
import { FACTOR_REFUSALS } from '#features/office/factors/rules.ts'
import { fileOf, inputShape, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { accountText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ROLE_FIELDS, ROLES, STAFF, STAFF_FIELDS } from './fields.ts'
import { LIMITS, ROLE_REFUSALS, STAFF_REFUSALS } from './rules.ts'

const GUESSED = { PASSWORD_GUESSED: PASSWORD_REFUSALS.PASSWORD_GUESSED }

const done = z.object({ done: z.literal(true) })
const id = whole(1)
const password = secretText.max(LIMITS.password + 64)
const portraitId = z.uuid().nullable()
/** Who looks after the person's shops from now on: 0 nobody, null as it is. */
const successorId = whole(0).nullable()

/** A node of the permission tree that the acting person can grant. */
const Node = z.object({
  id: z.number(),
  parentId: z.number().nullable(),
  key: z.string(),
  name: z.string(),
  /** What it lets one do; empty for a group. */
  says: z.string(),
  path: z.string(),
})

export const team = {
  roles: op(
    { permission: 'team.roles' },
    { method: 'GET', path: '/team/roles', summary: 'Roles of the agency' },
  )
    .input(z.object(listInput(ROLES)))
    .output(
      pageOf(
        z.object(outputShape(ROLE_FIELDS, 'row')).extend({
          /** It lets one do what the acting person may not. */
          isBeyond: z.boolean(),
          isOwn: z.boolean(),
        }),
      ),
    ),
  addRole: op(
    { permission: 'team.editRoles', log: '新增角色', stale: ['team'], stepUp: true },
    { method: 'POST', path: '/team/roles', summary: 'Add a role, with the start page alone' },
  )
    .errors(errorsOf(ROLE_REFUSALS))
    .input(z.object(inputShape(ROLE_FIELDS, 'add')))
    .output(z.object({ id: z.number() })),
  editRole: op(
    { permission: 'team.editRoles', log: '编辑角色', stale: ['team'], stepUp: true },
    { method: 'PATCH', path: '/team/roles/{id}', summary: 'Change the name and description of a role' },
  )
    .errors(errorsOf(ROLE_REFUSALS))
    .input(z.object({ id, ...inputShape(ROLE_FIELDS, 'edit') }))
    .output(done),
  switchRole: op(
    { permission: 'team.editRoles', log: '启停角色', stale: ['team'], stepUp: true },
    { method: 'POST', path: '/team/roles/{id}/enabled', summary: 'Enable or disable a role' },
  )
    .errors(errorsOf(ROLE_REFUSALS))
    .input(z.object({ id, enabled: z.boolean() }))
    .output(done),
  deleteRole: op(
    { permission: 'team.editRoles', log: '删除角色', stale: ['team'], stepUp: true },
    { method: 'DELETE', path: '/team/roles/{id}', summary: 'Delete a role that nobody has' },
  )
    .errors(errorsOf(ROLE_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  holders: op(
    { permission: 'team.roles' },
    { method: 'GET', path: '/team/roles/{id}/holders', summary: 'Who has a role' },
  )
    .input(z.object({ id }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** Pages, what is done on them, and the groups they stand in, in the order of the menu. */
  tree: op(
    { permission: 'team.roles' },
    { method: 'GET', path: '/team/tree', summary: 'The rights that the acting person can grant' },
  ).output(z.object({ nodes: z.array(Node) })),
  roleRights: op(
    { permission: 'team.roles' },
    { method: 'GET', path: '/team/roles/{id}/rights', summary: 'The nodes of a role' },
  )
    .input(z.object({ id }))
    .output(z.object({ nodeIds: z.array(z.number()) })),
  setRights: op(
    { permission: 'team.grant', log: '设置角色权限', stale: ['team'], stepUp: true },
    { method: 'PUT', path: '/team/roles/{id}/rights', summary: 'Set the nodes of a role' },
  )
    .errors(errorsOf(ROLE_REFUSALS))
    .input(z.object({ id, nodeIds: z.array(whole(1)).max(1_000) }))
    .output(z.object({ given: z.number(), taken: z.number() })),
  whoCan: op(
    { permission: 'team.roles' },
    { method: 'GET', path: '/team/tree/{id}/people', summary: 'Who of the agency has a right' },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        people: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            /** Null: an owner, who may do everything. */
            roleName: z.string().nullable(),
          }),
        ),
        roles: z.array(z.object({ id: z.number(), name: z.string() })),
      }),
    ),

  staff: op(
    { permission: 'team.staff' },
    { method: 'GET', path: '/team/staff', summary: 'People of the agency' },
  )
    .input(z.object(listInput(STAFF)))
    .output(pageOf(z.object(outputShape(STAFF_FIELDS, 'row')).extend({ isBeyond: z.boolean() }))),
  /** Roles that a person can be given; those of more rights than the acting person's are marked. */
  roleOptions: op(
    { permission: 'team.staff' },
    { method: 'GET', path: '/team/role-options', summary: 'Roles by name' },
  ).output(
    z.object({
      rows: z.array(
        z.object({ id: z.number(), name: z.string(), enabled: z.boolean(), isBeyond: z.boolean() }),
      ),
    }),
  ),
  /** What people who look after shops can be called. */
  labelOptions: op(
    { permission: 'team.staff' },
    { method: 'GET', path: '/team/label-options', summary: 'What managers of shops can be called' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  person: op(
    { permission: 'team.staff' },
    { method: 'GET', path: '/team/staff/{id}', summary: 'What hangs on a person: shops and sessions' },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        shops: z.number(),
        sessions: z.number(),
        /** Who can take over. */
        colleagues: z.array(z.object({ id: z.number(), name: z.string() })),
      }),
    ),
  loginName: op(
    { permission: 'team.editStaff', forKeys: false },
    { method: 'GET', path: '/team/login-names/{loginName}', summary: 'Whether a login name is free' },
  )
    .input(z.object({ loginName: accountText.max(20), id: id.optional() }))
    .output(z.object({ isFree: z.boolean() })),
  addPerson: op(
    { permission: 'team.editStaff', log: '新增员工', stale: ['team', 'merchants.options'], stepUp: true },
    { method: 'POST', path: '/team/staff', summary: 'Add a person with a role' },
  )
    .errors(errorsOf({ ...STAFF_REFUSALS, ...GUESSED }))
    .input(
      z.object({
        ...inputShape(STAFF_FIELDS, 'add'),
        labelId: whole(1).nullable().default(null),
        portraitId,
        password,
      }),
    )
    .output(z.object({ id: z.number() })),
  editPerson: op(
    { permission: 'team.editStaff', log: '编辑员工', stale: ['team', 'merchants'], stepUp: true },
    { method: 'PATCH', path: '/team/staff/{id}', summary: 'Change a person' },
  )
    .errors(errorsOf(STAFF_REFUSALS))
    .input(
      z.object({
        id,
        ...inputShape(STAFF_FIELDS, 'edit'),
        /** Left out: as it is. */
        labelId: whole(1).nullable().optional(),
        portraitId,
      }),
    )
    .output(done),
  switchPerson: op(
    { permission: 'team.endStaff', log: '启停员工', stale: ['team', 'merchants', 'renewals'], stepUp: true },
    { method: 'POST', path: '/team/staff/{id}/enabled', summary: 'Enable or disable a person' },
  )
    .errors(errorsOf(STAFF_REFUSALS))
    .input(z.object({ id, enabled: z.boolean(), successorId: successorId.default(null) }))
    .output(done),
  deletePerson: op(
    { permission: 'team.endStaff', log: '删除员工', stale: ['team', 'merchants', 'renewals'], stepUp: true },
    { method: 'DELETE', path: '/team/staff/{id}', summary: 'Delete a person, whose history stays' },
  )
    .errors(errorsOf(STAFF_REFUSALS))
    .input(z.object({ id, successorId: successorId.default(null) }))
    .output(done),
  handOver: op(
    { permission: 'team.editStaff', log: '移交商户', stale: ['team', 'merchants', 'renewals'], stepUp: true },
    { method: 'POST', path: '/team/staff/{id}/hand-over', summary: 'Give a person’s shops to a colleague' },
  )
    .errors(errorsOf(STAFF_REFUSALS))
    .input(z.object({ id, successorId: whole(0) }))
    .output(z.object({ shops: z.number() })),
  resetPassword: op(
    { permission: 'team.secureStaff', log: '重置员工密码', stale: ['team'], stepUp: true },
    { method: 'POST', path: '/team/staff/{id}/password', summary: 'Give a person a new password' },
  )
    .errors(errorsOf({ ...STAFF_REFUSALS, ...GUESSED }))
    .input(z.object({ id, password }))
    .output(done),
  resetFactors: op(
    { permission: 'team.secureStaff', log: '重置员工二次验证', stale: ['team'], stepUp: true },
    { method: 'DELETE', path: '/team/staff/{id}/factors', summary: 'Take a person’s second factors away' },
  )
    .errors(errorsOf({ ...STAFF_REFUSALS, NO_FACTOR: FACTOR_REFUSALS.NO_FACTOR }))
    .input(z.object({ id }))
    .output(done),
  endSessions: op(
    { permission: 'team.secureStaff', log: '下线员工设备', stale: ['team'], stepUp: true },
    { method: 'DELETE', path: '/team/staff/{id}/sessions', summary: 'End all sessions of a person' },
  )
    .errors(errorsOf(STAFF_REFUSALS))
    .input(z.object({ id }))
    .output(z.object({ ended: z.number() })),
}

export const teamDownloads = { staff: fileOf(STAFF) }

export type RoleRow = Out<typeof team.roles>['rows'][number]
export type NamedRole = Pick<RoleRow, 'id' | 'name'>

export type StaffRow = Out<typeof team.staff>['rows'][number]

export type RightsNode = Out<typeof team.tree>['nodes'][number]
