// Two agents with shops, orders and sessions, for the walk of tenancy.test.ts.
import { PERMISSION_NODES } from '#app/joined.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { Services } from '#server/ctx.ts'
import { openOffice } from './app.ts'
import { makeAccount, makeAgent, makeMerchant, newMerchantForm } from './make.ts'
import { MARK, type Scene } from './walk-types.ts'
import { WALKS } from './walks.ts'

/** The edit form that changes nothing, from a shop's details. */
export function editOf(shop: Record<string, unknown>): Record<string, unknown> {
  const edited = Object.fromEntries(keysIn(MERCHANT_FIELDS, 'edit').map(key => [key, shop[key]]))
  return { ...edited, id: shop.id, revision: shop.revision, password: '', paymentConfig: {} }
}

async function makeScene({ isColleague = false } = {}): Promise<Scene> {
  const office = await openOffice()
  // Every node open to every agent: what is refused below is refused for the row's sake, not for the permission's.
  await office.owner.query(`update permission_nodes set marker = '1'`)
  const a = await makeAgent(office, { tokens: 10_000, sms: 100, levelId: 3 })
  const b = await makeAgent(office, { tokens: 10_000, sms: 100, levelId: 3 })
  // Colleagues know the names of their agency and of each other.
  if (!isColleague) {
    await office.owner.query('update agents set company_name = $2, contact_name = $2 where id = $1', [
      a.id,
      MARK,
    ])
    await office.owner.query('update accounts set name = $2 where agent_id = $1', [a.id, MARK])
  }
  const sub = await makeAccount(office, a.id, { nodeIds: [22] })
  const past = new Date(Date.now() - 86_400_000).toISOString()
  const text = { shop_name: MARK, short_name: MARK, person_name: MARK, referrer: MARK, remark: MARK }
  const shops = [
    await makeMerchant(office, a.id, { ...text, manager_id: a.accountId }),
    await makeMerchant(office, a.id, { ...text, status: 'disabled', expires_at: past }),
    await makeMerchant(office, a.id, { ...text, expires_at: past, last_login_at: past, signature: MARK }),
  ]
  const shop = await makeMerchant(office, b.id, { shop_name: '乙店', expires_at: past })
  const cookieA = await office.login(a.loginName)
  const cookieB = await office.login(b.loginName)
  const asA = office.as(cookieA)
  const paid = await asA.selling.quote(newMerchantForm({ shopName: MARK, remark: MARK, smsCount: 5 }))
  const added = await asA.selling.add({ orderNo: paid.orderNo })
  const quoted = await asA.selling.quote(newMerchantForm({ shopName: MARK }))
  const quotedByB = await office.as(cookieB).selling.quote(newMerchantForm({ shopName: '乙新店' }))
  await office.as(cookieB).selling.add({ orderNo: quotedByB.orderNo })
  const sessions = await asA.signIn.sessions()
  const details = await asA.merchants.details({ id: shops[0] as number })
  const scene: Scene = {
    office,
    a: {
      ...a,
      sub,
      shops: [...shops, added.id],
      paidOrder: paid.orderNo,
      quotedOrder: quoted.orderNo,
      sessionId: sessions.rows[0]?.id as number,
      shop: details,
    },
    b: { ...b, shop, details: await office.as(cookieB).merchants.details({ id: shop }) },
    cookieA,
    cookieB,
    isColleague,
    extra: {},
  }
  for (const walk of WALKS) Object.assign(scene.extra, await walk.scene?.(scene))
  return isColleague ? { ...scene, ...(await makeColleague(scene)) } : scene
}

export type KeptScene = {
  /** A copy of the scene, in an office of its own with these walls. */
  behind(walls: Services['walls']): Promise<Scene>
  drop(): Promise<void>
}

/** Makes the scene once for all walls: each finds it as it was made, whatever was tried behind another. */
export async function keepScene(options: { isColleague?: boolean } = {}): Promise<KeptScene> {
  const scene = await makeScene(options)
  // What a feature's walk has set up of the outside is the program's, and not the database's.
  const { providers } = scene.office.app.services
  const frozen = await scene.office.freeze()
  return {
    async behind(walls) {
      const office = await openOffice({ walls, providers, copyOf: frozen })
      // However long ago the scene was made.
      await office.owner.query('update factor_proofs set proved_at = now()')
      return { ...scene, office }
    },
    drop: frozen.drop,
  }
}

/** Somebody of A's agency who may do everything and sees one shop. */
async function makeColleague({ office, a }: Scene): Promise<Pick<Scene, 'b' | 'cookieB'>> {
  const { loginName, accountId } = await makeAccount(office, a.id, {
    nodeIds: PERMISSION_NODES.map(({ id }) => id),
    dataScope: 'own',
  })
  const past = new Date(Date.now() - 86_400_000).toISOString()
  const shop = await makeMerchant(office, a.id, {
    shop_name: '乙店',
    expires_at: past,
    manager_id: accountId,
  })
  const cookieB = await office.login(loginName)
  const details = await office.as(cookieB).merchants.details({ id: shop })
  return { b: { id: a.id, loginName, accountId, shop, details }, cookieB }
}
