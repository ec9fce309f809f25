import { makePass } from '#test/make-codes.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'

let made = 0
const freshMobile = () => `137${String(++made).padStart(8, '0')}`

/** Consultations are of no agent: staff see them all, and nobody else holds the permission. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office }) {
    const { rows } = await office.owner.query<{ id: string }>(
      `insert into consultations (name, mobile, ip_hash, created_at) values ('甲方专有', '13700000000', 'x', now()) returning id`,
    )
    return { consultation: Number(rows[0]?.id) }
  },
  attempts: {
    'consultations.submit': [
      { as: () => ({ name: '乙方', mobile: '13700000000' }), expect: ['CAPTCHA_REQUIRED'] },
    ],
    'consultations.list': [{ as: () => ({}), expect: 'empty' }],
    'consultations.count': [own()],
    'consultations.contact': [{ as: ({ extra }) => ({ id: extra.consultation }), expect: ['NOT_FOUND'] }],
  },
  scoped: ['consultations.list', 'consultations.contact'],
  changes: desk => ({
    'consultations.submit': {
      async accepted() {
        const mobile = freshMobile()
        const captcha = await makePass(desk.office, 'consultation', mobile)
        const input = { name: '张三', mobile, captcha }
        return {
          cookie: null,
          input,
          subject: '官网咨询 (',
          account: { loginName: '', accountId: 0, id: 0, name: '系统' },
        }
      },
      refused: { input: () => ({ name: '张三', mobile: '123' }), code: 'MOBILE_INVALID' },
    },
    'consultations.contact': {
      async accepted() {
        const { rows } = await desk.office.owner.query<{ id: string }>(
          `insert into consultations (name, mobile, ip_hash, created_at) values ('李四', $1, 'x', now()) returning id`,
          [freshMobile()],
        )
        const id = Number(rows[0]?.id)
        return desk.asOperator({ id }, `李四 (${id})`)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
