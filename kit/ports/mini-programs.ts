// What the product asks of the platform on which shops' mini programs are registered, checked, audited and released, in the name of a
// third party whom their owners authorise. Instants are ISO texts in UTC; texts that are not known are null.

/** What the office keeps of the platform: tickets and tokens. `version` grows with each write; 0: there was nothing. */
export type KeptCredentials = { text: string; version: number }

/** What the keys begin with under which tokens of mini programs lie; their appid stands behind it. */
export const AUTHORIZER_KEYS = 'authorizer:'

/** Where tickets and tokens lie: one for all programs of an office, encrypted at rest. */
export type CredentialStore = {
  read(key: string): Promise<KeptCredentials | null>
  /** Writes whole, where what is kept is still of this version (0: nothing is kept). False: somebody else was first, and theirs stays. */
  write(key: string, text: string, version: number): Promise<boolean>
  remove(key: string): Promise<void>
  /** One holder at a time, over all programs; false: somebody else holds it. It ends by itself after `forMs`. */
  claim(key: string, holder: string, forMs: number): Promise<boolean>
  release(key: string, holder: string): Promise<void>
}

/** What the platform checks of a new mini program's owner. `codeKind` by the length of the code is the caller's to choose. */
export type Registration = {
  companyName: string
  companyCode: string
  /** 1: 统一社会信用代码; 2: 组织机构代码; 3: 营业执照注册号. */
  codeKind: 1 | 2 | 3
  legalPersonWechat: string
  legalPersonName: string
  /** Of the third party, for its owners to call. */
  servicePhone: string
}
export type RegistrationKey = Pick<Registration, 'companyName' | 'legalPersonWechat' | 'legalPersonName'>

/** `scopes`: what the owner allows, by the platform's numbers: 17 accounts and codes, 18 development, 30 basic information, … */
export type Authorization = { appid: string; scopes: number[] }
export type AuthorizerInfo = {
  nickName: string
  userName: string
  principalName: string
  isPersonal: boolean
  headImage: string | null
  signature: string
  /** Whether the platform has verified the owner (微信认证). */
  isVerified: boolean
  scopes: number[]
}

/** How often it may still be changed within the platform's period. */
export type ChangeQuota = { used: number; quota: number }
export type BasicInfo = {
  appid: string
  principalName: string
  isPersonal: boolean
  realName: 'confirmed' | 'pending' | 'failed'
  isVerified: boolean
  nickName: { value: string } & ChangeQuota
  headImage: { url: string } & ChangeQuota
  signature: { value: string } & ChangeQuota
}

/** `naming`: media ids of further papers, at most five. */
export type NameChange = {
  name: string
  licenceMediaId?: string
  idCardMediaId?: string
  naming?: readonly string[]
}
/** reviewing: of people; `auditId` names it. */
export type NameAudit = { state: 'reviewing' | 'refused' | 'passed'; name: string; reason: string | null }

/** A category by the numbers of its two levels. */
export type CategoryKey = { first: number; second: number }
export type CategoryPaper = { name: string; mediaId: string }
export type CategoryChange = CategoryKey & { papers: readonly CategoryPaper[] }
export type CategoryStanding = CategoryKey & {
  firstName: string
  secondName: string
  state: 'reviewing' | 'refused' | 'passed'
  reason: string | null
}
export type CategoryStandings = {
  categories: CategoryStanding[]
  /** Changes within this month, how many are left of them, and how many categories there may be at all. */
  monthlyLimit: number
  monthlyLeft: number
  mostCategories: number
}
export type OfferedCategory = {
  id: number
  name: string
  level: number
  parent: number
  children: number[]
  isSensitive: boolean
  /** Alternatives; of one all papers are wanted. */
  papers: { name: string; url: string | null }[][]
}
/** As an audit takes it. */
export type AuditCategory = {
  firstId: number
  firstName: string
  secondId: number
  secondName: string
  thirdId: number | null
  thirdName: string | null
}

export type ProgramDomains = { request: string[]; socket: string[]; upload: string[]; download: string[] }

export type CodeTemplate = {
  templateId: number
  version: string
  /** What the template is for, by the vendor's tag. */
  description: string
  createdAt: string
}
/** `settings`: what the template's `ext_json` says, whole. */
export type CodeCommit = {
  templateId: number
  settings: Readonly<Record<string, unknown>>
  version: string
  description: string
}

/** checking: asked again a little later. Names of interfaces that the code uses and has no leave for, or that no declaration covers. */
export type PrivacyCheck =
  | { state: 'checking' }
  | { state: 'done'; withoutLeave: string[]; withoutDeclaration: string[] }
export type PrivacyContact = { email?: string; phone?: string; qq?: string; wechat?: string }
export type PrivacyUse = { key: string; purpose: string }
/** `trial`: of the code that was committed; `live`: of the one that is released. */
export type PrivacyVersion = 'trial' | 'live'
export type PrivacyDeclaration = {
  /** One way at least. */
  contact: PrivacyContact
  /** How owners tell of changes, such as 弹窗. */
  notice: string
  /** Such as 30天; null: as short as the law allows. */
  keptFor: string | null
  uses: readonly PrivacyUse[]
}
/** `used`: keys that the platform found in the code. */
export type PrivacyStanding = { hasCode: boolean; used: string[]; uses: PrivacyUse[] }

export type AuditItem = { page: string; title: string; tags: string; category: AuditCategory }
export type AuditOrder = {
  /** One to five. */
  items: readonly AuditItem[]
  description: string
  /** At most 200 characters. */
  feedback: string
  /** Media ids. */
  feedbackPictures: readonly string[]
  /** Interfaces of privacy are in the code, and never called. */
  usesNoPrivacy: boolean
  orderPath?: string
}
/** `screenshots`: media ids of what the reviewer saw. */
export type CodeAudit = {
  auditId: number
  state: 'passed' | 'refused' | 'reviewing' | 'withdrawn' | 'delayed'
  reason: string | null
  screenshots: string[]
  version: string | null
}
export type AuditQuota = { left: number; limit: number; speedUpsLeft: number; speedUpLimit: number }
export type ReleasedVersion = {
  appVersion: number
  version: string
  description: string
  committedAt: string | null
}
export type StandingVersion = { version: string; description: string; at: string }
export type ProgramVersions = { trial: StandingVersion | null; live: StandingVersion | null }

/** What the platform tells. `eventId` is the same for one that comes again. */
export type PlatformEvent = { eventId: string; at: string } & (
  | { kind: 'ticket'; ticket: string }
  | { kind: 'authorized' | 'authorizationChanged'; appid: string; authCode: string; preAuthCode: string }
  | { kind: 'unauthorized'; appid: string }
  | {
      kind: 'registered'
      /** Null where nothing was registered. */
      appid: string | null
      /** 0: done; any other is in the table of troubles. */
      status: string
      message: string
      authCode: string | null
      registration: RegistrationKey & { companyCode: string; codeKind: number }
    }
  | { kind: 'auditPassed'; appid: string }
  | { kind: 'auditRefused' | 'auditDelayed'; appid: string; reason: string; screenshots: string[] }
  | { kind: 'nameReviewed'; appid: string; state: 'refused' | 'passed'; name: string; reason: string | null }
  | {
      kind: 'categoryReviewed'
      appid: string
      state: 'refused' | 'passed'
      category: CategoryKey
      reason: string | null
    }
  /** Nothing that the product waits for. */
  | { kind: 'other'; name: string }
)

/** data: whoever filled the form mends it. authorization: the owner authorises again. state: something else must end first. quota: another day. later: the same again. platform: the vendor's account or settings. */
export type TroubleTurn = 'data' | 'authorization' | 'state' | 'quota' | 'later' | 'platform'
/** `words`: what is wrong; `advice`: what to do. Both Chinese, for people. */
export type ProgramTrouble = { turn: TroubleTurn; words: string; advice: string }

/** One authorised mini program. A picture is JPEG or PNG, at most 2 MB. */
export type MiniProgram = {
  info(): Promise<BasicInfo>
  /** For three days it stands for the picture. */
  uploadPicture(picture: Buffer): Promise<string>
  /** What a media id stands for, such as a screenshot of a refusal. */
  picture(mediaId: string): Promise<Buffer>

  /** Null: it may be used; else why not. */
  checkName(name: string): Promise<string | null>
  /** The number of the review; null: it holds at once. */
  setName(change: NameChange): Promise<string | null>
  nameAudit(auditId: string): Promise<NameAudit>
  /** A square of the uploaded picture, edges from 0 to 1. */
  setHeadImage(mediaId: string): Promise<void>
  setSignature(text: string): Promise<void>

  offeredCategories(): Promise<OfferedCategory[]>
  categories(): Promise<CategoryStandings>
  addCategories(categories: readonly CategoryChange[]): Promise<void>
  modifyCategory(category: CategoryChange): Promise<void>
  deleteCategory(category: CategoryKey): Promise<void>
  /** Those that an audit may name. */
  auditCategories(): Promise<AuditCategory[]>

  domains(): Promise<ProgramDomains>
  setDomains(domains: ProgramDomains): Promise<void>
  setPageDomains(domains: readonly string[]): Promise<void>

  commit(code: CodeCommit): Promise<void>
  /** A QR code (JPEG or PNG) of the trial version. */
  trialCode(path?: string): Promise<Buffer>
  versions(): Promise<ProgramVersions>

  privacyCheck(): Promise<PrivacyCheck>
  privacy(version: PrivacyVersion): Promise<PrivacyStanding>
  declarePrivacy(version: PrivacyVersion, declaration: PrivacyDeclaration): Promise<void>

  submitAudit(order: AuditOrder): Promise<number>
  audit(auditId: number): Promise<CodeAudit>
  /** After a `submitAudit` that nobody answered; null: there was none. */
  latestAudit(): Promise<CodeAudit | null>
  undoAudit(): Promise<void>
  speedUp(auditId: number): Promise<void>
  auditQuota(): Promise<AuditQuota>
  release(): Promise<void>
  releases(): Promise<ReleasedVersion[]>
  /** To the version of this number, else to the one before. */
  rollBack(appVersion?: number): Promise<void>
  /** A code (JPEG or PNG) of the released version, `width` pixels wide, 280 to 1280. */
  code(path: string, width: number): Promise<Buffer>

  /** The platform's own name of the tester, which `removeTester` takes. */
  addTester(wechat: string): Promise<string>
  removeTester(userString: string): Promise<void>
  testers(): Promise<string[]>
}

/**
 * The platform. Each call rejects with ProviderRefused (`troubleOf` says it in Chinese), ProviderBusy or ProviderUnknown; what changes
 * something is never repeated by the client, but where the platform refused the token of it.
 */
export type MiniProgramPlatform = {
  /**
   * Verifies, decrypts and reads what the platform sent; rejects with CallbackRejected. `query`: of the address it called; `appid`: of the
   * mini program whose address that was, null for the platform's own. One that comes late or again is read as the first time: `eventId`
   * and `at` tell.
   */
  readCallback(
    query: Readonly<Record<string, string>>,
    body: Buffer,
    appid: string | null,
  ): Promise<PlatformEvent>
  /** Of an event of this kind; an older one than is kept changes nothing. */
  keepTicket(ticket: string, at: string): Promise<void>
  /** Where an owner authorises, on a computer's screen or on a phone; it comes back to `returnUrl` with `auth_code`. Of one use, for half an hour. */
  authorizeUrl(returnUrl: string, on: 'screen' | 'phone'): Promise<string>
  /** Trades the code that came back, and keeps the tokens. */
  authorize(authCode: string): Promise<Authorization>
  /** The owner has taken the authorisation back. */
  forget(appid: string): Promise<void>
  authorizerInfo(appid: string): Promise<AuthorizerInfo>
  register(registration: Registration): Promise<void>
  /** How it stands, as a refusal or (0) none: asked where its event does not come. */
  registrationState(key: RegistrationKey): Promise<void>
  templates(): Promise<CodeTemplate[]>
  of(appid: string): MiniProgram
  /** `registration`: of the status that a `registered` event brought. */
  troubleOf(refused: { code: string; message: string }, of?: 'call' | 'registration'): ProgramTrouble
}
