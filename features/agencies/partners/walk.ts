import { invitationToken, newPartner } from '#test/make-partners.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'

const PASSWORD = 'Kmb-4471-quelle'

const termsOf = () => {
  const { ownerLoginName: _l, ownerName: _n, ownerMobile: _m, tokenCents: _t, ...terms } = newPartner()
  return terms
}

/** Taking partners on is the operator's alone; what is public is let in by a token that nobody else has. */
export const walk: FeatureWalk = {
  // The vendor's.
  ofAgency: ['partners'],
  sessionOnly: [],
  movesMoney: ['partners.takeOn'],
  scene: null,
  attempts: {
    'partners.choices': [own()],
    'partners.takeOn': [{ as: () => ({ ...newPartner() }), expect: ['FORBIDDEN'] }],
    'partners.terms': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.edit': [{ as: ({ a }) => ({ id: a.id, ...termsOf() }), expect: ['NOT_FOUND'] }],
    'partners.previewParent': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.changeParent': [
      { as: ({ a }) => ({ id: a.id, parentId: null, seen: null }), expect: ['NOT_FOUND'] },
    ],
    'partners.suspend': [{ as: ({ a }) => ({ id: a.id, reason: '试' }), expect: ['NOT_FOUND'] }],
    'partners.resume': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.invite': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.invitationLink': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOTHING_OPEN'] }],
    'partners.resetLink': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.revokeInvitation': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'partners.invitation': [{ as: () => ({ token: 'none' }), expect: ['INVITATION_UNKNOWN'] }],
    'partners.accept': [
      {
        as: () => ({ token: 'none', newPassword: PASSWORD, confirmation: PASSWORD }),
        expect: ['INVITATION_UNKNOWN'],
      },
    ],
  },
  scoped: [],
  reads: ({ office, operatorCookie, partner }) => ({
    'partners.terms': async () => ({ id: partner.id }),
    'partners.previewParent': async () => ({ id: partner.id }),
    'partners.invitationLink': async () => ({
      id: (await office.as(operatorCookie).partners.takeOn(newPartner())).id,
    }),
    'partners.invitation': async () => {
      const { id } = await office.as(operatorCookie).partners.takeOn(newPartner())
      return { token: await invitationToken(office, id) }
    },
  }),
  changes: desk => {
    const taken = async () => {
      const input = newPartner()
      const { id } = await desk.office.as(desk.operatorCookie).partners.takeOn(input)
      await desk.office.owner.query(
        `update partner_invitations set created_at = created_at - interval '2 minutes' where agent_id = $1`,
        [id],
      )
      return { ...input, id }
    }
    const unknown = { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' }
    return {
      'partners.takeOn': {
        async accepted() {
          const input = newPartner()
          return desk.asOperator({ ...input }, input.companyName)
        },
        refused: { input: () => ({ ...newPartner({ companyName: '' }) }), code: 'COMPANY_REQUIRED' },
      },
      'partners.edit': {
        async accepted() {
          const { id, companyName } = await taken()
          return desk.asOperator({ id, ...termsOf() }, companyName)
        },
        refused: { input: () => ({ id: 99_999_999, ...termsOf() }), code: 'NOT_FOUND' },
      },
      'partners.changeParent': {
        async accepted() {
          const { id, companyName } = await taken()
          return desk.asOperator({ id, parentId: desk.partner.id, seen: null }, companyName)
        },
        refused: {
          input: () => ({ id: 99_999_999, parentId: null, seen: null }),
          code: 'NOT_FOUND',
        },
      },
      'partners.suspend': {
        async accepted() {
          const { id, companyName } = await taken()
          return desk.asOperator({ id, reason: '逾期未付' }, companyName)
        },
        refused: { input: () => ({ id: 99_999_999, reason: '' }), code: 'SUSPEND_REASON_REQUIRED' },
      },
      'partners.resume': {
        async accepted() {
          const { id, companyName } = await taken()
          await desk.office.as(desk.operatorCookie).partners.suspend({ id, reason: '逾期未付' })
          return desk.asOperator({ id }, companyName)
        },
        refused: unknown,
      },
      'partners.invite': {
        async accepted() {
          const { id, companyName } = await taken()
          return desk.asOperator({ id }, companyName)
        },
        refused: unknown,
      },
      'partners.resetLink': {
        async accepted() {
          const { id, companyName } = await taken()
          await desk.office.owner.query('update accounts set enabled = true where agent_id = $1', [id])
          return desk.asOperator({ id }, companyName)
        },
        refused: unknown,
      },
      'partners.revokeInvitation': {
        async accepted() {
          const { id, companyName } = await taken()
          return desk.asOperator({ id }, companyName)
        },
        refused: unknown,
      },
      'partners.accept': {
        async accepted() {
          const { id, ownerLoginName, ownerName } = await taken()
          const token = await invitationToken(desk.office, id)
          const { rows } = await desk.office.owner.query<{ id: string }>(
            'select id from accounts where login_name = $1',
            [ownerLoginName],
          )
          return {
            cookie: null,
            input: { token, newPassword: PASSWORD, confirmation: PASSWORD },
            subject: ownerLoginName,
            account: { loginName: ownerLoginName, accountId: Number(rows[0]?.id), id, name: ownerName },
          }
        },
        refused: {
          input: () => ({ token: 'none', newPassword: PASSWORD, confirmation: PASSWORD }),
          code: 'INVITATION_UNKNOWN',
        },
      },
    }
  },
}
