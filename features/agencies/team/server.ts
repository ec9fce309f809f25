import { serve } from '#server/serve.ts'
import { team as contract } from './contract.ts'
import {
  addPerson,
  deletePerson,
  editPerson,
  endSessions,
  handOver,
  resetFactors,
  resetPassword,
  switchPerson,
} from './server-person.ts'
import {
  addRole,
  deleteRole,
  editRole,
  listRoles,
  roleRights,
  setRights,
  switchRole,
} from './server-roles.ts'
import { askLoginName, labelOptions, listStaff, roleOptions, showPerson } from './server-staff.ts'
import { holdersOf, showTree, whoCan } from './server-tree.ts'

export const teamRouter = serve(contract, {
  roles: listRoles,
  addRole,
  editRole,
  switchRole,
  deleteRole,
  holders: async (ctx, { id }) => ({ rows: await holdersOf(ctx, id) }),
  tree: showTree,
  roleRights,
  setRights,
  whoCan,
  staff: listStaff,
  roleOptions,
  labelOptions,
  person: showPerson,
  loginName: askLoginName,
  addPerson,
  editPerson,
  switchPerson,
  deletePerson,
  handOver,
  resetFactors,
  resetPassword,
  endSessions,
})
