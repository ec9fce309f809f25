import { drizzle } from 'drizzle-orm/node-postgres'
import { platformCredentials } from '#features/programs/platform/tables.ts'
import type { MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import type { Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import { BUILT_IN_LIST } from './reference.ts'

const code = async () => Buffer.from('code')
const PROGRAM: Partial<MiniProgram> = {
  ...{ trialCode: code, code },
  offeredCategories: async () => BUILT_IN_LIST.categories,
  checkName: async () => null,
  testers: async () => ['tester@@@1'],
  addTester: async () => 'tester@@@1',
  removeTester: async () => undefined,
}
const PLATFORM = {
  of: () => PROGRAM as MiniProgram,
  templates: async () => [],
} as Partial<MiniProgramPlatform> as MiniProgramPlatform

/** An office with a platform that answers all that is read from it, and one mini program that is authorised there. */
export async function connectPlatform(office: Office): Promise<void> {
  const { services } = office.app
  services.providers = { ...services.providers, miniPrograms: () => PLATFORM }
  const row = { sealed: services.secrets.encrypt('{}'), changedAt: new Date().toISOString() }
  await drizzle(office.owner)
    .insert(platformCredentials)
    .values({ key: 'authorizer:wxprogram', ...row })
    .onConflictDoUpdate({ target: platformCredentials.key, set: row })
}

/** Categories are the platform's and everybody's. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  ofAgency: ['programCategories.list'],
  scene: null,
  attempts: {
    'programCategories.list': [own()],
    'programCategories.refresh': [{ as: () => ({ seen: 0 }), expect: ['FORBIDDEN'] }],
  },
  scoped: [],
  changes: desk => ({
    'programCategories.refresh': {
      async accepted() {
        await connectPlatform(desk.office)
        const { rows } = await desk.office.owner.query(
          'select coalesce(max(id), 0)::int as seen from program_category_lists',
        )
        return desk.asOperator({ seen: rows[0].seen }, '微信平台')
      },
      refused: { input: () => ({ seen: 999_999 }), code: 'STALE' },
    },
  }),
}
