// Applications as an office would send them to WeChat Pay, complete and free of contradictions; nobody's data.
import type { IdPaper, OnboardingApplication, OnboardingDesk, Subject } from '#kit/ports/onboarding.ts'
import { refuseLicenceNumber } from '#kit/words/licence-number.ts'
import { pictureOf } from '#providers/simulated-ocr.ts'

export const ID_NUMBERS = ['11010519491231002X', '440524188001010014']

let applications = 0

const SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'

/** A credit code that no other application has. */
export function aLicenceNumber(): string {
  const body = `91330100MA${String(++applications).padStart(6, '0')}`
  for (const organization of '0123456789X')
    for (const check of SIGNS) {
      const number = body + organization + check
      if (refuseLicenceNumber(number) === null) return number
    }
  throw new Error('no check fits')
}

/** Pictures that differ from each other, as everything that was photographed does. */
export async function uploadAll(desk: OnboardingDesk) {
  const upload = (name: string) => desk.upload(pictureOf({ text: { name } }))
  return {
    licence: await upload('licence'),
    front: await upload('front'),
    back: await upload('back'),
    entrance: await upload('entrance'),
    indoor: await upload('indoor'),
    other: await upload('other'),
  }
}
export type Uploaded = Awaited<ReturnType<typeof uploadAll>>

export const aPaper = (media: Uploaded, changes: Partial<IdPaper> = {}): IdPaper => ({
  kind: 'idCard',
  front: media.front,
  back: media.back,
  name: '王小明',
  number: ID_NUMBERS[0] ?? '',
  validFrom: '2016-01-01',
  validTo: '长期',
  ...changes,
})

/** Of a shop of one person with a private account. */
export function anIndividual(
  media: Uploaded,
  changes: Partial<OnboardingApplication> = {},
): OnboardingApplication {
  return {
    businessCode: `T${Date.now()}_${++applications}`,
    administrator: { kind: 'legalPerson', name: '王小明', phone: '13800000001', email: 'shop@example.com' },
    subject: {
      kind: 'individual',
      name: '王小明小吃店',
      legalPerson: '王小明',
      number: aLicenceNumber(),
      picture: media.licence,
      address: '浙江省杭州市西湖区文三路1号',
      validFrom: '2020-05-06',
      validTo: '长期',
    },
    identity: aPaper(media),
    owners: [],
    business: {
      shortName: '小明小吃',
      servicePhone: '0571-88880000',
      scenes: [
        {
          kind: 'store',
          name: '小明小吃',
          division: '330106',
          address: '文三路1号',
          entrance: [media.entrance],
          indoor: [media.indoor],
        },
      ],
    },
    settlement: { id: '719', qualificationType: '餐饮', qualifications: [] },
    account: {
      kind: 'private',
      holder: '王小明',
      number: '6222021001116245702',
      bank: '工商银行',
      division: '330100',
    },
    additions: { pictures: [] },
    ...changes,
  }
}

export type Licensed = Extract<Subject, { kind: 'individual' | 'enterprise' }>

/** Of a company whose legal person is its beneficial owner. */
export function anEnterprise(
  media: Uploaded,
  changes: Partial<OnboardingApplication> = {},
): OnboardingApplication {
  const individual = anIndividual(media)
  const name = '杭州小明餐饮有限公司'
  return {
    ...individual,
    subject: { ...individual.subject, kind: 'enterprise', name } as Licensed,
    identity: aPaper(media, { address: '浙江省杭州市西湖区文三路2号' }),
    isOwner: true,
    settlement: { id: '716', qualificationType: '餐饮', qualifications: [] },
    account: { ...individual.account, kind: 'corporate', holder: name, number: '1202021009900123456' },
    ...changes,
  }
}
