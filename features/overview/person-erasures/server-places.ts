// Where people are known, table by table as docs/PRIVACY.md has them: by which columns a row is found, what becomes of it, and what keeps it.
// All of it is said here and nowhere else, so that it can be read as a whole; test/house/privacy.test.ts asks for every column that looks like a
// person's. Beside these, whatever text a table has is searched for the number itself, a new column too (server-texts.ts).
import type { ObjectKind } from '#features/overview/operation-log/rules.ts'
import { type Block, ERASED, type Fate, type Kind, type Reason } from './rules.ts'

/** Conditions and values are SQL of the row as `t`; `$phone` stands for the number. */
export type Place = {
  table: string
  kind: Kind
  /** Columns by which a row is found. One without names is no person's row, but a message to a number: all of them are one item. */
  phone: readonly string[]
  name?: readonly string[]
  /** Encrypted by the field. */
  idNumber?: string
  fate: Exclude<Fate, 'stays'>
  /** Where it is masked: what its columns are from then on. */
  set?: Readonly<Record<string, string>>
  /** Encrypted columns that must not be empty: from then on an empty text. */
  sealed?: readonly string[]
  stays?: { when: string; reason: Reason }
  block?: { when: string; block: Block }
  /** As the operation log names it. */
  object?: ObjectKind
}

const GONE = `'${ERASED}'`
const EMPTY = `''`
/** Its shop can be used. */
const IN_USE = `exists (select from merchants m where m.id = t.merchant_id and m.status <> 'disabled'
  and (m.expires_at is null or m.expires_at > now()))`
const ACQUIRER = { when: IN_USE, reason: 'acquirer' } as const

export const PLACES: readonly Place[] = [
  {
    table: 'accounts',
    kind: 'accounts',
    phone: ['mobile', 'login_name'],
    name: ['name'],
    fate: 'masked',
    set: {
      name: GONE,
      mobile: EMPTY,
      wechat: EMPTY,
      remark: EMPTY,
      login_name: `'erased-' || t.id`,
      password_hash: EMPTY,
      portrait_id: 'null',
      enabled: 'false',
      deleted_at: 'coalesce(t.deleted_at, now())',
    },
    block: {
      when: `t.is_owner and t.deleted_at is null and exists (select from agents a where a.id = t.agent_id and a.status <> 'closed')`,
      block: 'owner',
    },
    object: 'account',
  },
  {
    table: 'agents',
    kind: 'agencies',
    phone: ['mobile', 'telephone', 'hotline'],
    name: ['contact_name'],
    fate: 'masked',
    set: {
      contact_name: GONE,
      mobile: EMPTY,
      telephone: EMPTY,
      hotline: EMPTY,
      qq: EMPTY,
      wechat: EMPTY,
      address: EMPTY,
    },
    block: { when: `t.status <> 'closed'`, block: 'contract' },
    object: 'agent',
  },
  {
    table: 'partner_applications',
    kind: 'applications',
    phone: ['mobile'],
    name: ['contact_name'],
    fate: 'masked',
    set: { contact_name: GONE, mobile: EMPTY, address: EMPTY, remark: EMPTY },
    object: 'application',
  },
  {
    table: 'merchants',
    kind: 'shops',
    phone: ['shop_phone', 'account'],
    name: ['person_name'],
    fate: 'masked',
    // Where it stands is the shop's.
    set: {
      person_name: GONE,
      shop_phone: EMPTY,
      account: `case when t.account = $phone then 'erased-' || t.id else t.account end`,
    },
    block: { when: `t.account = $phone and t.status <> 'disabled'`, block: 'shopAccount' },
    object: 'merchant',
  },
  {
    table: 'verifications',
    kind: 'identities',
    phone: ['phone'],
    name: ['legal_person', 'person_in_charge'],
    fate: 'masked',
    set: {
      legal_person: EMPTY,
      person_in_charge: EMPTY,
      id_number_masked: EMPTY,
      phone: EMPTY,
      phone_verified_at: 'null',
      licence_id: 'null',
      id_front_id: 'null',
      id_back_id: 'null',
    },
    stays: { when: IN_USE, reason: 'realName' },
    object: 'verification',
  },
  {
    table: 'owner_papers',
    kind: 'acquiring',
    phone: ['phone'],
    name: ['legal_person', 'person_in_charge'],
    fate: 'masked',
    set: {
      legal_person: EMPTY,
      person_in_charge: EMPTY,
      phone: EMPTY,
      email: EMPTY,
      id_number: 'null',
      id_number_masked: EMPTY,
      account_number: 'null',
      account_number_masked: EMPTY,
      signed_text: EMPTY,
    },
    stays: ACQUIRER,
  },
  {
    table: 'payment_applications',
    kind: 'acquiring',
    phone: ['phone'],
    fate: 'masked',
    set: { phone: EMPTY, email: EMPTY },
    stays: ACQUIRER,
    object: 'paymentApplication',
  },
  {
    table: 'onboardings',
    kind: 'acquiring',
    phone: ['service_phone'],
    fate: 'masked',
    set: { service_phone: EMPTY, id_address: EMPTY, account_number: 'null', account_number_masked: EMPTY },
    stays: ACQUIRER,
  },
  {
    table: 'onboarding_people',
    kind: 'acquiring',
    phone: [],
    name: ['name'],
    idNumber: 'id_number',
    fate: 'masked',
    set: { name: GONE, id_number_masked: EMPTY, address: EMPTY },
    sealed: ['id_number'],
    stays: ACQUIRER,
  },
  {
    table: 'acquirer_onboardings',
    kind: 'acquiring',
    phone: ['contact_phone'],
    name: ['contact_name', 'account_name'],
    fate: 'masked',
    set: {
      contact_name: EMPTY,
      contact_phone: EMPTY,
      email: EMPTY,
      account_name: EMPTY,
      account_number: 'null',
      account_number_masked: EMPTY,
    },
    stays: ACQUIRER,
    object: 'acquirerOnboarding',
  },
  {
    table: 'account_changes',
    kind: 'acquiring',
    phone: [],
    name: ['holder'],
    fate: 'masked',
    set: { holder: GONE, account_number: 'null', account_number_masked: EMPTY },
    stays: ACQUIRER,
  },
  {
    table: 'program_applications',
    kind: 'acquiring',
    phone: ['service_phone'],
    name: ['legal_person_name'],
    fate: 'masked',
    set: {
      legal_person_name: EMPTY,
      legal_person_wechat: 'null',
      legal_person_wechat_masked: EMPTY,
      service_phone: EMPTY,
    },
    stays: ACQUIRER,
    object: 'programApplication',
  },
  {
    table: 'hardware_orders',
    kind: 'hardware',
    phone: ['contact_phone'],
    name: ['contact_name'],
    fate: 'masked',
    set: { contact_name: GONE, contact_phone: EMPTY, address: EMPTY, remark: EMPTY },
    stays: {
      when: `t.delivery_status in ('awaitingPayment', 'awaitingShipment', 'shipped', 'received')`,
      reason: 'delivery',
    },
    object: 'order',
  },
  {
    table: 'outbox_messages',
    kind: 'messages',
    phone: ['phone'],
    fate: 'masked',
    set: { phone: EMPTY, text: GONE, params: "'{}'" },
    stays: { when: `t.status in ('queued', 'sending')`, reason: 'sending' },
    object: 'message',
  },
  { table: 'verification_codes', kind: 'messages', phone: ['phone'], fate: 'goes' },
  { table: 'account_codes', kind: 'messages', phone: ['phone'], fate: 'goes' },
  { table: 'phone_change_codes', kind: 'messages', phone: ['phone'], fate: 'goes' },
  { table: 'partner_application_codes', kind: 'messages', phone: ['mobile'], fate: 'goes' },
  {
    table: 'feedback_messages',
    kind: 'feedback',
    phone: ['phone'],
    name: ['created_by_name'],
    fate: 'masked',
    set: { created_by_name: GONE, phone: EMPTY, content: GONE },
    object: 'feedback',
  },
  {
    table: 'consultations',
    kind: 'consultations',
    phone: ['mobile'],
    name: ['name'],
    fate: 'goes',
    object: 'consultation',
  },
]

/** What a person's account has of its own, what others name before them: it goes with the account. */
export const OF_ACCOUNTS: readonly { table: string; column: string; through?: string }[] = [
  { table: 'compat_tokens', column: 'account_id' },
  { table: 'compat_nonces', column: 'account_id' },
  { table: 'compat_accesses', column: 'account_id' },
  { table: 'compat_uses', column: 'account_id' },
  { table: 'factor_proofs', column: 'session_id', through: 'sessions' },
  { table: 'sessions', column: 'viewed_by' },
  { table: 'sessions', column: 'account_id' },
  { table: 'sign_ins', column: 'account_id' },
  { table: 'sign_in_devices', column: 'account_id' },
  { table: 'factor_challenges', column: 'account_id' },
  { table: 'factor_failures', column: 'account_id' },
  { table: 'factor_totps', column: 'account_id' },
  { table: 'passkeys', column: 'account_id' },
  { table: 'recovery_codes', column: 'account_id' },
  { table: 'account_codes', column: 'account_id' },
  { table: 'phone_change_codes', column: 'account_id' },
  { table: 'partner_invitations', column: 'account_id' },
  { table: 'notices', column: 'account_id' },
  { table: 'notice_preferences', column: 'account_id' },
  { table: 'notice_thresholds', column: 'account_id' },
  { table: 'saved_views', column: 'account_id' },
  { table: 'list_columns', column: 'account_id' },
  { table: 'setup_put_off', column: 'account_id' },
  { table: 'help_reads', column: 'account_id' },
  { table: 'hardware_cart_lines', column: 'account_id' },
  { table: 'thread_presence', column: 'account_id' },
  { table: 'work_order_presence', column: 'account_id' },
  { table: 'idempotency_keys', column: 'account_id' },
]

/** The same, where the row stands for more than the person: what it says of one is taken out. */
export const MASKED_OF_ACCOUNTS: readonly {
  table: string
  column: string
  through?: string
  set: Readonly<Record<string, string>>
}[] = [
  {
    table: 'api_key_uses',
    column: 'key_id',
    through: 'api_keys',
    set: { last_ip: 'null' },
  },
  {
    table: 'api_keys',
    column: 'account_id',
    set: { name: GONE, addresses: `'{}'`, ended_at: 'coalesce(t.ended_at, now())' },
  },
  { table: 'help_votes', column: 'account_id', set: { account_name: GONE, comment: EMPTY } },
]

/** Papers that rows of a place use, by the columns that name them. */
export const PAPERS_OF: Readonly<Record<string, readonly string[]>> = {
  verifications: ['licence_id', 'id_front_id', 'id_back_id'],
}

/** Rows that are never changed: what they say of a person stays, and why. */
export const KEPT: Readonly<Record<string, Reason>> = {
  ledger_transfers: 'books',
  ledger_moves: 'books',
  prices: 'prices',
  discounts: 'prices',
  price_campaigns: 'prices',
  agent_level_changes: 'prices',
}

/** Tables whose texts are not searched like the others': why stands beside each. */
export const APART: Readonly<Record<string, string>> = {
  ...KEPT,
  operation_logs: 'its rows are chained: server/redact-log.ts',
  operation_log_erasures: 'hashes',
  person_erasures: 'its own keys, which go in the end',
  person_erasure_items: 'holds nothing personal',
  files: 'of bytes, which have no text',
}

/** Columns that look like a person's (docs/PRIVACY.md) and are dealt with by none of these alone, and how. */
export const OTHERWISE: Readonly<Record<string, string>> = {
  'merchants.address': 'where the shop stands',
  'platform_credentials.holder': 'a program, no person',
  'program_testers.wechat':
    'a WeChat name, which none of the keys finds: a tester is removed on the shop’s page',
  'program_testers.wechat_masked': 'of the same',
}
