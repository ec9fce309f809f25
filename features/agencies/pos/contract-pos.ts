import { SELF_REGISTERED, TRIAL_REFUSALS } from '#features/sales/selling/rules.ts'
import { BLOCK_TYPE_KEYS } from '#features/sales/shop-pages/rules.ts'
import {
  ACCOUNT_PATTERNS,
  LIMITS,
  MERCHANT_STATUSES,
  REFUSALS,
  SHOP_PHONE,
  SOURCES,
  STORE_KINDS,
  VERIFICATION_STATUSES,
} from '#features/shops/merchants/rules.ts'
import { VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { picked } from '#kit/declare/fields.ts'
import { errorsOf, forProgramsToo, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { entered, said, shortText, smallId } from '#kit/declare/said.ts'
import * as z from '#kit/declare/z.ts'
import { PASSWORD } from '#kit/words/password.ts'
import { MAINLAND_MOBILE } from '#kit/words/phone.ts'
import { PLAIN_TEXT } from '#kit/words/plain-text.ts'
import { MEMBER_LIMITS, MEMBER_REFUSALS, PAGE, PARAM, SIGN_IN_REFUSALS } from './rules.ts'

const keysOf = <T extends object>(words: T) => Object.keys(words) as [keyof T & string]
const word = <T extends object>(words: T) => z.enum(keysOf(words))
const id = whole(1)
const shopId = z.strictObject({ id })
const nothing = z.strictObject({})
/** Letters, digits and the marks that names have; something of it is seen. */
const NAME = `^(?=[\\s\\S]*\\S)${PLAIN_TEXT.source.slice(1)}`
const districtCode = entered({
  as: 'code',
  most: 6,
  least: 6,
  pattern: '^\\d{6}$',
  description: 'Of GET /v1/districts',
})
const address = entered({ most: LIMITS.address })
const instant = z.string().describe('ISO 8601, UTC')

/** What a new shop may be refused for here; its manager, credit and payment are not asked for. */
const REGISTRATION_CODES = [
  ...(['SHORT_NAME_REQUIRED', 'SHORT_NAME_TOO_LONG', 'SHORT_NAME_SYMBOLS'] as const),
  ...(['SHOP_NAME_REQUIRED', 'SHOP_NAME_TOO_LONG', 'SHOP_NAME_SYMBOLS'] as const),
  ...(['PERSON_NAME_REQUIRED', 'PERSON_NAME_TOO_LONG', 'ACCOUNT_REQUIRED', 'ACCOUNT_FORMAT'] as const),
  ...(['ACCOUNT_TAKEN', 'PASSWORD_REQUIRED', 'PASSWORD_FORMAT', 'INDUSTRY_REQUIRED'] as const),
  ...(['DIVISION_REQUIRED', 'ADDRESS_TOO_LONG', 'REFERRER_TOO_LONG'] as const),
] as const

/** Read often and by programs alone: nothing is kept of it but that the key was used. */
const reads = { permission: 'pos.read', forKeys: 'only', unlogged: true, tagged: true } as const

/** What any key may know: it says nothing of a shop. */
const tells = { permission: 'session', forKeys: 'only', unlogged: true, tagged: true } as const

/** What a shop is and has. Without what changes at every call: a copy of it is compared with its ETag. */
const Shop = z.object({
  id: z.number(),
  /** Counts edits: a change names the one that it has seen. */
  revision: z.number(),
  agentId: z.number(),
  status: word(MERCHANT_STATUSES),
  storeKind: word(STORE_KINDS),
  /** The head of a branch. */
  headId: z.number().nullable(),
  /** The branches of a head. */
  branchIds: z.array(z.number()),
  shopName: z.string(),
  shortName: z.string(),
  personName: z.string(),
  account: z.string(),
  shopPhone: z.string(),
  provinceCode: z.string(),
  cityCode: z.string(),
  districtCode: z.string(),
  address: z.string(),
  industry: z.object({ id: z.number(), name: z.string() }),
  version: z.object({
    id: z.number(),
    code: z.string(),
    name: z.string(),
    /** What it contains, by name. */
    functions: z.array(z.string()),
  }),
  shopsBought: z.number(),
  registeredAt: instant,
  /** Null: permanent. */
  expiresAt: instant.nullable(),
  source: word(SOURCES),
  services: z.array(
    z.object({ code: z.string(), name: z.string(), quantity: z.number(), expiresAt: instant.nullable() }),
  ),
  /** SMS credit in pieces. */
  smsBalance: z.number(),
  signature: z.object({ text: z.string(), usable: z.boolean() }),
  /** What the shop calls its members; empty: as the software does. */
  memberTitle: z.string(),
  verificationStatus: word(VERIFICATION_STATUSES),
  /** How the shop is paid; null: nothing is set up. Secret values are named in `secretKeys` and read by themselves. */
  payment: z
    .object({
      methodId: z.number(),
      name: z.string(),
      enabled: z.boolean(),
      config: z.record(z.string(), z.string()),
      secretKeys: z.array(z.string()),
    })
    .nullable(),
})

/** Who looks after the shop, and what it says on its home page. */
const Agent = z.object({
  id: z.number(),
  name: z.string(),
  /** Addresses of pictures are whole. */
  logo: z.string().nullable(),
  blocks: z.array(
    z.object({
      type: z.enum(BLOCK_TYPE_KEYS),
      text: z.string(),
      picture: z.string().nullable(),
      link: z.string().nullable(),
    }),
  ),
  notices: z.array(z.object({ title: z.string(), body: z.string() })),
})

const ShopWithAgent = Shop.extend({ agent: Agent })

export const pos = {
  choices: op(tells, {
    method: 'GET',
    path: '/v1/choices',
    summary:
      'What a registration may name: versions, industries, and how accounts are made in the agency of the key',
  })
    .input(nothing)
    .output(
      z.object({
        accountFormat: word(ACCOUNT_PATTERNS).describe(
          Object.entries(ACCOUNT_PATTERNS)
            .map(([name, { source }]) => `${name}: ${source}`)
            .join('; '),
        ),
        versions: z.array(z.object({ id: z.number(), code: z.string(), name: z.string() })),
        industries: z.array(z.object({ id: z.number(), name: z.string() })),
      }),
    ),
  districts: op(tells, {
    method: 'GET',
    path: '/v1/districts',
    summary: 'The districts that an address may name, by the codes of GB/T 2260',
  })
    .input(
      z.strictObject({
        under: said(
          z
            .string()
            .regex(/^(?:\d{2}){0,2}$/)
            .default(''),
          {
            ...{ type: 'string', pattern: '^(?:\\d{2}){0,2}$', default: '' },
            description: 'Of a province (two digits) or a city (four) alone',
          },
        ),
      }),
    )
    .output(
      z.object({
        districts: z.array(
          z.object({
            code: z.string(),
            name: z.string(),
            wholeName: z.string().describe('With the province and the city above it'),
          }),
        ),
      }),
    ),
  shops: op(reads, {
    method: 'GET',
    path: '/v1/shops',
    summary:
      'Shops by their ids, for a copy of all of them: each page begins after the last id of the one before',
  })
    .input(z.strictObject({ after: whole(0).default(0), size: whole(1, PAGE.most).default(PAGE.most) }))
    .output(
      z.object({
        shops: z.array(Shop),
        /** Of these shops, each once. */
        agents: z.array(Agent),
        /** What the next page begins after. */
        last: z.number(),
        more: z.boolean(),
      }),
    ),
  findShop: op(reads, {
    method: 'GET',
    path: '/v1/shops/find',
    summary: 'The shop of an account',
  })
    .errors(errorsOf(forProgramsToo(['NOT_FOUND'])))
    .input(z.strictObject({ account: shortText(20, { as: 'account', least: 1 }) }))
    .output(ShopWithAgent),
  shop: op(reads, { method: 'GET', path: '/v1/shops/{id}', summary: 'One shop' })
    .input(shopId)
    .output(ShopWithAgent),
  paymentSecrets: op(
    { permission: 'pos.secrets', forKeys: 'only', log: '读取支付密钥' },
    {
      method: 'GET',
      path: '/v1/shops/{id}/payment-secrets',
      summary: 'The whole payment configuration of a shop; every reading stands in the operation log',
    },
  )
    .input(shopId)
    .output(
      z.object({
        shopId: z.number(),
        methodId: z.number().nullable(),
        config: z.record(z.string(), z.string()),
      }),
    ),
  /** Neither answer nor time tells an account that does not exist from a wrong password. */
  signIn: op(
    { permission: 'pos.signIn', forKeys: 'only', log: '校验店铺登录', unlogged: true, whileSuspended: true },
    { method: 'POST', path: '/v1/sign-ins', summary: 'Check the account and password of a shop' },
  )
    .errors(errorsOf(SIGN_IN_REFUSALS))
    .input(
      z.strictObject({
        account: shortText(64, { as: 'account', least: 1 }),
        password: shortText(128, { as: 'secret' }),
        ip: said(z.union([z.ipv4(), z.ipv6()]), {
          anyOf: [
            { type: 'string', format: 'ipv4', pattern: z.regexes.ipv4.source },
            { type: 'string', format: 'ipv6', pattern: z.regexes.ipv6.source },
          ],
          description: "Where the shop's own device calls from: tries are limited by it too",
        }),
      }),
    )
    .output(
      z.object({
        shopId: z.number(),
        /** Of a disabled shop the sign-in does not count. */
        status: word(MERCHANT_STATUSES),
        expiresAt: instant.nullable(),
      }),
    ),
  register: op(
    { permission: 'pos.register', forKeys: 'only', log: '注册店铺', idempotent: true },
    {
      method: 'POST',
      path: '/v1/shops',
      summary: "A shop of the key's agency that registers itself, with a version on trial",
    },
  )
    .errors(
      errorsOf({
        ...picked(REFUSALS, REGISTRATION_CODES),
        ...picked(VERSION_REFUSALS, ['VERSION_REQUIRED', 'VERSION_NOT_AUTHORIZED', 'VERSION_RETIRED']),
        ...TRIAL_REFUSALS,
      }),
    )
    .input(
      z.strictObject({
        source: word(SELF_REGISTERED),
        versionId: smallId().describe('One that is sold to new shops: GET /v1/choices'),
        shortName: entered({ most: LIMITS.shortName, least: 1, pattern: NAME }),
        shopName: entered({ most: LIMITS.shopName, least: 1, pattern: NAME }),
        personName: entered({ most: LIMITS.personName, least: 1 }),
        account: entered({
          ...{ as: 'account', most: 11, least: 4, pattern: ACCOUNT_PATTERNS.any.source },
          description:
            'What the shop signs in with, as a rule a mobile number; GET /v1/choices has the format of the agency',
        }),
        password: entered({ as: 'secret', most: LIMITS.passwordMax, least: 6, pattern: PASSWORD.source }),
        districtCode,
        address: address.default(''),
        industryId: smallId().describe('Of GET /v1/choices'),
        referrer: entered({ most: LIMITS.referrer }).default(''),
      }),
    )
    .output(z.object({ id: z.number(), versionId: z.number(), registeredAt: instant, expiresAt: instant })),
  setContact: op(
    { permission: 'pos.write', forKeys: 'only', log: '修改店铺联系方式', idempotent: true },
    { method: 'PUT', path: '/v1/shops/{id}/contact', summary: 'How a shop is reached' },
  )
    .errors(
      errorsOf(
        picked(REFUSALS, ['SHOP_PHONE_FORMAT', 'DIVISION_REQUIRED', 'ADDRESS_TOO_LONG', 'MERCHANT_DISABLED']),
      ),
    )
    .errors(errorsOf(forProgramsToo(['STALE'])))
    .input(
      z.strictObject({
        id,
        revision: z.int().min(1).describe('Of the shop as it was read; STALE: read it again'),
        shopPhone: entered({
          ...{ as: 'account', most: 20, pattern: `^$|${SHOP_PHONE.source}` },
          description: 'Empty: none',
        }),
        districtCode,
        address,
      }),
    )
    .output(z.object({ id: z.number(), revision: z.number() })),
  messageTemplates: op(
    { permission: 'pos.sms', forKeys: 'only', unlogged: true },
    { method: 'GET', path: '/v1/message-templates', summary: 'Texts that a shop may send to its members' },
  )
    .input(nothing)
    .output(
      z.object({
        templates: z.array(
          z.object({
            template: z.string().describe('What a message names it by'),
            name: z.string(),
            /** With ${name} where a variable stands. */
            text: z.string(),
            /** What each message fills; the shop's name is filled by the office. */
            variables: z.array(z.object({ name: z.string(), label: z.string() })),
          }),
        ),
      }),
    ),
  sendMessages: op(
    { permission: 'pos.sms', forKeys: 'only', log: '发送会员短信', idempotent: true, whileSuspended: true },
    {
      method: 'POST',
      path: '/v1/shops/{id}/messages',
      summary: "SMS to members of a shop, from the shop's own credit",
    },
  )
    .errors(
      errorsOf({
        ...MEMBER_REFUSALS,
        ...picked(REFUSALS, ['MERCHANT_DISABLED']),
      }),
    )
    .input(
      z.strictObject({
        id,
        template: shortText(40, { description: 'Of GET /v1/message-templates' }),
        messages: z
          .array(
            z.strictObject({
              phone: entered({ as: 'phone', most: 11, least: 11, pattern: MAINLAND_MOBILE.source }),
              params: z
                .record(shortText(40, { as: 'made' }), entered({ ...PARAM, least: 1 }))
                .default({})
                .describe('A value for each variable of the template'),
            }),
          )
          .min(1)
          .max(MEMBER_LIMITS.messages),
      }),
    )
    .output(
      z.object({
        /** Under it the credit moved. */
        documentNo: z.string(),
        messages: z.number(),
        /** Expected; receipts correct it. */
        segments: z.number(),
        smsBalance: z.number(),
      }),
    ),
}
