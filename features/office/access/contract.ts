import { op } from '#kit/declare/op.ts'
import * as z from '#kit/declare/z.ts'

export type MenuItem = { key: string; name: string; path: string; children: MenuItem[] }
const MenuItem: z.ZodType<MenuItem> = z.object({
  key: z.string(),
  name: z.string(),
  path: z.string(),
  get children() {
    return z.array(MenuItem)
  },
})

const Current = z.object({
  accountId: z.number(),
  agentId: z.number(),
  loginName: z.string(),
  name: z.string(),
  companyName: z.string(),
  /** Of the agent. */
  logoId: z.string().nullable(),
  phoneLastFour: z.string(),
  /** 0 the agent's own account, 1 a sub-user. */
  userType: z.union([z.literal(0), z.literal(1)]),
  isOperator: z.boolean(),
  isVendorStaff: z.boolean(),
  accountFormat: z.enum(['standard', 'long', 'any']),
  discountBasisPoints: z.number(),
  levelName: z.string(),
  /** Whether there is a second factor, and from when on (in ms) nothing is possible without one. */
  factor: z.object({ has: z.boolean(), dueAt: z.number().nullable() }),
  permissions: z.array(z.string()),
  menu: z.array(MenuItem),
  /** One looks through this account, until then; null: it is one's own. */
  viewedUntil: z.string().nullable(),
  /** Why the agency is suspended: everything is seen, nothing changed; null: it is not. */
  suspendedFor: z.string().nullable(),
  /** Nothing else may be done before. */
  mustChangePassword: z.boolean(),
  /** Nobody of the vendor has looked prices through yet: they are examples. */
  examplePrices: z.boolean(),
  /** The product runs on demo data. */
  demo: z.boolean(),
})

export const access = {
  /** Who is signed in, with menu and permissions. */
  current: op(
    { permission: 'session', enrolment: true, beforePassword: true },
    { method: 'GET', path: '/session', summary: 'The signed-in account, its menu and permissions' },
  ).output(Current),
  /** What the keys of permissions are called, to tell which were given and taken; of those alone that the agent can hold. */
  rights: op(
    { permission: 'session' },
    { method: 'GET', path: '/session/rights', summary: 'Names of permissions' },
  ).output(z.object({ rows: z.array(z.object({ key: z.string(), name: z.string() })) })),
}
