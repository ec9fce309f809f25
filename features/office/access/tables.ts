import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import type { Marker } from '#kit/declare/permission.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { DataScope } from './rules.ts'

export const permissionNodes = pgTable('permission_nodes', {
  id: integer('id').primaryKey(),
  parentId: integer('parent_id'),
  key: text('key').notNull().unique(),
  name: text('name').notNull(),
  path: text('path').notNull(),
  marker: text('marker').$type<Marker>().notNull(),
  inMenu: boolean('in_menu').notNull(),
  position: integer('position').notNull(),
})

export const roles = pgTable(
  'roles',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    name: text('name').notNull(),
    remark: text('remark').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    nodeIds: integer('node_ids').array().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('roles_agent_id').on(table.agentId),
    uniqueIndex('roles_name').on(table.agentId, table.name),
  ],
)

/** What those who look after shops are called to them: 客户经理, 客服. */
// In no list: in the one editor of reference data, which is made of declarations.
export const managerLabels = pgTable('manager_labels', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  retiredAt: instant('retired_at'),
})

export const accounts = pgTable(
  'accounts',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    loginName: text('login_name').notNull(),
    name: text('name').notNull(),
    mobile: text('mobile').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Another made the password: nothing can be done before it is changed. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    isOwner: boolean('is_owner').notNull(),
    roleId: whole('role_id').references(() => roles.id),
    enabled: boolean('enabled').notNull().default(true),
    remark: text('remark').notNull().default(''),
    /** 'own': of the agency's shops, those alone whose manager this account is. An owner sees all. */
    dataScope: text('data_scope').$type<DataScope>().notNull().default('all'),
    /** Null: none. */
    labelId: integer('label_id').references(() => managerLabels.id),
    wechat: text('wechat').notNull().default(''),
    portraitId: uuid('portrait_id').references(() => files.id),
    lastLoginAt: instant('last_login_at'),
    createdAt: instant('created_at').notNull(),
    /** Gone from lists and never signed in again; what it did keeps its name. */
    deletedAt: instant('deleted_at'),
  },
  table => [
    uniqueIndex('accounts_login_name').on(table.loginName),
    index('accounts_agent_id').on(table.agentId, table.id),
    index('accounts_role_id').on(table.roleId),
    index('accounts_label_id').on(table.labelId),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    id: whole('id').generatedByDefaultAsIdentity().notNull().unique(),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    agentId: whole('agent_id').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
    /** Of the browser that it was begun in (features/agencies/sign-in): what one browser began is one device to people. */
    deviceHash: bytes('device_hash'),
    /** The token before the last fresh proof, good for a moment: requests that were under way carry it. */
    formerHash: bytes('former_hash'),
    formerUntil: instant('former_until'),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Somebody else's look through this account's eyes: who looks, and the session that it ends with. */
    viewedBy: whole('viewed_by').references(() => accounts.id),
    viewedFrom: whole('viewed_from').references((): AnyPgColumn => sessions.id, { onDelete: 'cascade' }),
  },
  table => [
    index('sessions_account_id').on(table.accountId),
    index('sessions_expires_at').on(table.expiresAt),
    index('sessions_viewed_from').on(table.viewedFrom),
    index('sessions_former_hash').on(table.formerHash),
  ],
)
