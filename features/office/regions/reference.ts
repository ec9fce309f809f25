// The edition of the divisions that a fresh database starts with.
import { FIRST_EDITION } from './rules.ts'

export const EDITION = {
  id: 1,
  source: FIRST_EDITION,
  revision: 0,
  changedAt: '2026-01-01T00:00:00.000Z',
  changedByName: '系统',
}
