import { keyForm } from '#test/make-api-keys.ts'
import { type Attempt, type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

type Extra = { theirKey: number }

const onKey = (more: object = {}): Attempt => ({
  as: scene => ({ id: (scene.extra as Extra).theirKey, ...more }),
  expect: ['NOT_FOUND'],
})
const VERBS = ['merchants.list']

/** The keys of an agency are its own: not even the walk without walls finds another's. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, cookieA }) {
    const { id } = await office
      .as(cookieA)
      .apiKeys.add(keyForm(VERBS, { name: MARK, addresses: ['192.0.2.1'] }))
    return { theirKey: id } satisfies Extra
  },
  attempts: {
    'apiKeys.list': [own(), search(() => MARK)],
    'apiKeys.details': [onKey()],
    'apiKeys.tree': [own()],
    'apiKeys.add': [{ as: () => keyForm(VERBS), expect: 'own' }],
    'apiKeys.edit': [
      { as: scene => ({ ...keyForm(VERBS), id: (scene.extra as Extra).theirKey }), expect: ['NOT_FOUND'] },
    ],
    'apiKeys.rotate': [onKey({ overlapHours: 0 })],
    'apiKeys.endPrevious': [onKey()],
    'apiKeys.end': [onKey()],
  },
  scoped: [],
  reads: desk => ({
    // Asked by the operator, who sees its own alone too.
    'apiKeys.details': async () => ({
      id: (await desk.office.as(desk.operatorCookie).apiKeys.add(keyForm(VERBS))).id,
    }),
  }),
  changes: desk => {
    const addKey = async () => {
      await endAll(desk)
      const form = keyForm(VERBS)
      const { id } = await desk.mine().apiKeys.add(form)
      return { id, form }
    }
    const onOwn = async (more: object = {}) => {
      const { id, form } = await addKey()
      return desk.asPartner({ id, ...more }, form.name)
    }
    const unknown = (more: object = {}) => ({ input: () => ({ id: 99_999_999, ...more }), code: 'NOT_FOUND' })
    return {
      'apiKeys.add': {
        accepted: async () => {
          await endAll(desk)
          const form = keyForm(VERBS)
          return desk.asPartner(form, form.name)
        },
        refused: { input: () => keyForm(VERBS, { name: '' }), code: 'KEY_NAME_REQUIRED' },
      },
      'apiKeys.edit': {
        accepted: async () => {
          const { id, form } = await addKey()
          return desk.asPartner({ ...form, id, addresses: ['192.0.2.0/24'] }, form.name)
        },
        refused: {
          input: async () => {
            const { id, form } = await addKey()
            return { ...form, id, addresses: ['nowhere'] }
          },
          code: 'ADDRESS_FORMAT',
        },
      },
      'apiKeys.rotate': {
        accepted: () => onOwn({ overlapHours: 24 }),
        refused: unknown({ overlapHours: 24 }),
      },
      'apiKeys.endPrevious': {
        accepted: async () => {
          const prepared = await onOwn()
          await desk.mine().apiKeys.rotate({ id: Number(prepared.input.id), overlapHours: 24 })
          return prepared
        },
        refused: { input: async () => ({ id: (await addKey()).id }), code: 'NO_PREVIOUS' },
      },
      'apiKeys.end': { accepted: () => onOwn(), refused: unknown() },
    }
  },
}

/** An agency has so many keys that work, and no more. */
async function endAll({ office }: Desk): Promise<void> {
  await office.owner.query(`update api_keys set ended_at = now(), ended_by = 'hand' where ended_at is null`)
}
