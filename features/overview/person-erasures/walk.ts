import type { Office } from '#test/app.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import type { ErasureState } from './rules.ts'

let made = 0

/** A request as it stands in some state, with one row that is the person's. */
export async function makeErasure(
  office: Office,
  state: ErasureState,
  requestedBy = 0,
): Promise<{ id: number; number: string }> {
  const number = `PE20261130-${String(++made).padStart(10, '0')}`
  const { secrets } = office.app.services
  const phone = `139${String(made).padStart(8, '0')}`
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into person_erasures (number, state, phone_hash, keys, phone_masked, name_masked, id_number_masked, reason, created_by,
       created_by_name, created_at, requested_by, certificate, signature)
     values ($1, $2, $3, $4, '139****0000', '甲方专有', '', '甲方专有', 1, '甲方专有', now(), $5, $6, '') returning id`,
    [
      ...[number, state, secrets.digest(phone)],
      secrets.encrypt(JSON.stringify({ phone, name: '', idNumber: '' })),
      requestedBy,
      state === 'done'
        ? JSON.stringify({
            number,
            person: { phone: '139****0000', name: '', idNumber: '' },
            askedOn: null,
            channel: null,
            reason: '',
            requestedBy: '',
            approvedBy: '',
            finishedAt: '2026-11-30T00:00:00.000Z',
            kinds: [],
            backupsKept: 0,
          })
        : '',
    ],
  )
  const id = Number(rows[0]?.id)
  await office.owner.query(
    `insert into person_erasure_items (erasure_id, key, kind, table_name, row_id, matched, rows, fate, chosen, choosable)
     values ($1, 'consultations:99999999', 'consultations', 'consultations', 99999999, '{phone}', 1, 'goes', true, true)`,
    [id],
  )
  return { id, number }
}

const NOT_FOUND = ['NOT_FOUND']
const asked = { reason: '本人来电', askedOn: '2026-11-01', channel: 'phone' }

/** The operator's: nobody else holds the permission. */
export const walk: FeatureWalk = {
  ofAgency: ['personErasures'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office }) {
    return { erasure: (await makeErasure(office, 'done')).id }
  },
  attempts: {
    'personErasures.list': [{ as: () => ({}), expect: 'empty' }],
    'personErasures.details': [{ as: ({ extra }) => ({ id: extra.erasure }), expect: NOT_FOUND }],
    'personErasures.look': [{ as: () => ({ phone: '123' }), expect: ['PHONE_FORMAT'] }],
    'personErasures.choose': [
      {
        as: ({ extra }) => ({ id: extra.erasure, keys: ['consultations:99999999'], chosen: true }),
        expect: NOT_FOUND,
      },
    ],
    'personErasures.ask': [{ as: ({ extra }) => ({ id: extra.erasure, ...asked }), expect: NOT_FOUND }],
    'personErasures.approve': [{ as: ({ extra }) => ({ id: extra.erasure }), expect: NOT_FOUND }],
    'personErasures.reject': [
      { as: ({ extra }) => ({ id: extra.erasure, reason: '不是本人' }), expect: NOT_FOUND },
    ],
    'personErasures.withdraw': [{ as: ({ extra }) => ({ id: extra.erasure }), expect: NOT_FOUND }],
    'personErasures.known (file)': [{ as: ({ extra }) => ({ id: extra.erasure }), expect: NOT_FOUND }],
    'personErasures.certificate (file)': [{ as: ({ extra }) => ({ id: extra.erasure }), expect: NOT_FOUND }],
  },
  scoped: ['personErasures.list', 'personErasures.details'],
  reads: desk => ({
    'personErasures.details': async () => ({ id: (await makeErasure(desk.office, 'done')).id }),
    'personErasures.known (file)': async () => ({ id: (await makeErasure(desk.office, 'found')).id }),
    'personErasures.certificate (file)': async () => ({ id: (await makeErasure(desk.office, 'done')).id }),
  }),
  changes: desk => {
    const step = (state: ErasureState, more: Record<string, unknown>, wrong: ErasureState) => ({
      async accepted() {
        const { id, number } = await makeErasure(desk.office, state)
        return desk.asOperator({ id, ...more }, number)
      },
      refused: {
        input: async () => ({ id: (await makeErasure(desk.office, wrong)).id, ...more }),
        code: 'STEP_NOT_NOW',
      },
    })
    return {
      'personErasures.look': {
        async accepted() {
          return desk.asOperator({ phone: `137${String(Date.now()).slice(-8)}` }, 'PE')
        },
        refused: { input: () => ({ phone: '123' }), code: 'PHONE_FORMAT' },
      },
      'personErasures.choose': step('found', { keys: ['consultations:99999999'], chosen: false }, 'done'),
      'personErasures.ask': step('found', asked, 'done'),
      'personErasures.approve': step('asked', {}, 'done'),
      'personErasures.reject': step('asked', { reason: '不是本人' }, 'done'),
      'personErasures.withdraw': step('asked', {}, 'done'),
      'personErasures.known (file)': {
        accepted: async () => {
          const { id, number } = await makeErasure(desk.office, 'found')
          return desk.asOperator({ id }, number)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'personErasures.certificate (file)': {
        accepted: async () => {
          const { id, number } = await makeErasure(desk.office, 'done')
          return desk.asOperator({ id }, number)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
    }
  },
}
