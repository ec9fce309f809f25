import { makeAgent } from '#test/make.ts'
import { makePaper, makePaperFile } from '#test/make-papers.ts'
import { type FeatureWalk, MARK, own } from '#test/walk-types.ts'

const NONE = ['NOT_FOUND']
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { id: number } }) => ({ id: a.id, ...more }),
  expect: NONE,
})

/** What is kept of partners is the vendor's: an agency finds no other one, and of itself neither notes nor papers. */
export const walk: FeatureWalk = {
  // The vendor's.
  ofAgency: ['partnerDesk'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const staff = await makeAgent(office, { staff: true })
    await office.owner.query(
      `insert into partner_notes (agent_id, text, created_by, created_by_name, created_at) values ($1, $2, 1, $2, now())`,
      [a.id, MARK],
    )
    return { paper: await makePaper(office, a.id, staff, MARK) }
  },
  attempts: {
    'partnerDesk.list (file)': [own()],
    'partnerDesk.levels': [own()],
    'partnerDesk.details': [theirs()],
    'partnerDesk.people': [theirs()],
    'partnerDesk.signIns': [theirs()],
    'partnerDesk.notes': [theirs(), { as: ({ b }) => ({ id: b.id }), expect: 'empty' }],
    'partnerDesk.writeNote': [theirs({ text: '试' })],
    'partnerDesk.papers': [theirs()],
    'partnerDesk.addPaper': [
      theirs({ kind: 'contract', name: '试', fileId: '00000000-0000-4000-8000-000000000000' }),
    ],
    'partnerDesk.removePaper': [
      { as: ({ a, extra }) => ({ id: a.id, paperId: extra.paper }), expect: NONE },
      { as: ({ b, extra }) => ({ id: b.id, paperId: extra.paper }), expect: NONE },
    ],
    'partnerDesk.paper (file)': [
      { as: ({ a, extra }) => ({ id: a.id, paperId: extra.paper }), expect: NONE },
      { as: ({ b, extra }) => ({ id: b.id, paperId: extra.paper }), expect: NONE },
    ],
    // Those below A come from the walk of allocations.
    'partnerDesk.tree': [own(), { as: ({ a }) => ({ parentId: a.id }), expect: 'empty' }],
  },
  scoped: [
    'partnerDesk.list (file)',
    'partnerDesk.details',
    'partnerDesk.people',
    'partnerDesk.signIns',
    'partnerDesk.notes',
    'partnerDesk.papers',
    'partnerDesk.tree',
  ],
  reads: ({ office, partner, operator }) => ({
    'partnerDesk.details': async () => ({ id: partner.id }),
    'partnerDesk.people': async () => ({ id: partner.id }),
    'partnerDesk.signIns': async () => ({ id: partner.id }),
    'partnerDesk.notes': async () => ({ id: partner.id }),
    'partnerDesk.papers': async () => ({ id: partner.id }),
    'partnerDesk.paper (file)': async () => ({
      id: partner.id,
      paperId: await makePaper(office, partner.id, operator),
    }),
  }),
  changes: desk => {
    const subject = () => `代理商${desk.partner.id}`
    const paper = () => makePaper(desk.office, desk.partner.id, desk.operator)
    return {
      'partnerDesk.writeNote': {
        accepted: async () => desk.asOperator({ id: desk.partner.id, text: '已通话' }, subject()),
        refused: { input: () => ({ id: 1, text: ' ' }), code: 'INPUT_INVALID' },
      },
      'partnerDesk.addPaper': {
        async accepted() {
          const fileId = await makePaperFile(desk.office, desk.operator)
          return desk.asOperator({ id: desk.partner.id, kind: 'contract', name: '合同', fileId }, subject())
        },
        refused: {
          input: () => ({ id: 1, kind: 'contract', name: '合同', fileId: null }),
          code: 'PAPER_FILE_REQUIRED',
        },
      },
      'partnerDesk.removePaper': {
        async accepted() {
          return desk.asOperator({ id: desk.partner.id, paperId: await paper() }, subject())
        },
        refused: { input: () => ({ id: 99_999_999, paperId: 1 }), code: 'NOT_FOUND' },
      },
      'partnerDesk.list (file)': {
        accepted: async () => desk.asOperator({}, '代理商'),
        refused: { input: () => ({ levelId: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'partnerDesk.paper (file)': {
        async accepted() {
          return desk.asOperator({ id: desk.partner.id, paperId: await paper() }, '合作伙伴资料')
        },
        refused: { input: () => ({ id: 99_999_999, paperId: 1 }), code: 'NOT_FOUND' },
      },
    }
  },
}
