// Every column of a table that lists show is a field of a person's, or says why it is none; lists name operations.
import assert from 'node:assert/strict'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
import type { z } from 'zod'
import { contract } from '#app/joined.ts'
import { MERCHANT_FACTS, MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { type Fields, headOf, keysIn } from '#kit/declare/fields.ts'
import { besides, fieldOf, paramsOf } from '#kit/declare/list.ts'
import { listOps } from '#kit/declare/op.ts'
import { featureAt } from '#kit/feature-name.ts'
import { DECLARED } from './declared.ts'
import { forbid, PRODUCT } from './sources.ts'
import { TABLES } from './statements.ts'

/** Columns that are no field of a person's wherever they stand, and why. */
const NO_FIELD: Record<string, string> = {
  id: 'names the row',
  agentId: 'shown as agentName',
  accountId: 'the reader is its own',
  createdBy: 'shown by name',
  createdByName: 'a fact of the details',
  searchText: 'made by the database of other columns',
  position: 'shown as the order of the rows',
  revision: 'told to forms alone, against stale ones',
  discountBasisPoints: 'in the price',
  offer: 'in the price',
  askAt: "the program's own note of its next call",
  asked: "the program's own count of its calls",
  undoneAt: 'a fact of the details',
  undoneBy: 'shown by name',
  undoneByName: 'a fact of the timeline',
  undoneReason: 'a fact of the timeline',
}

/** Columns of a listed table that are none of its fields, and why. */
const NO_FIELD_OF: Record<string, Record<string, string>> = {
  agents: {
    'levelId parentId': 'shown as levelName and parentName',
    'isOperator isVendorStaff hasFullMenu accountFormat': 'terms, in the form of a partner',
    enabled: 'made of the state',
    'suspendedFor suspendedAt contractFrom': 'of one partner, on its page',
  },
  campaigns: {
    'templateKey params': 'shown as the text',
    'documentNo sentBy': 'kept for the ledger and the log',
    'skipped expectedShops expectedSegments cursor': 'in its progress',
    'problem sentByName startedAt finishedAt': 'facts of the details',
  },
  apiKeys: {
    'tokenHash previousHash': 'secrets, told once and noted by their ends',
    nodeIds: 'shown as verbs',
    expiresAt: 'shown as expiresOn',
    'endedAt endedBy': 'shown as state',
    previousEnd: 'noted in the log',
  },
  approvalRequests: { handledBy: 'shown by name' },
  apiKeyUses: { keyId: 'names the row', 'tokens filledAt foreignAt': 'kept for the limits' },
  consultations: { ipHash: 'kept for the limits' },
  demands: {
    industryId: 'shown by its name',
    weightRank: 'orders the weights',
    deletedByName: 'told on a deleted one',
    'mergedIntoId mergedAt mergedByName': 'told on a merged one, which no list shows',
    mergeUndo: 'kept for the undoing of the merge',
  },
  helpArticles: {
    categoryId: 'shown by its name',
    body: 'shown by its words',
    videoId: 'whose bytes are shown',
    pages: 'shown as pagesText',
  },
  documents: {
    sha256: 'what the same picture is known by',
    facts: 'encrypted',
    replacedAt: 'told by the log',
    warnedDays: "the watching job's own note",
    erasedBy: 'shown as erasedByName',
    erasedFileId: 'where its bytes lay',
  },
  documentUses: {
    documentId: 'what it uses',
    feature: 'shown as usedBy',
    objectId: "the feature's own",
  },
  inboxItems: {
    source: 'shown as kind',
    itemId: 'names the row',
    assigneeId: 'shown by name',
    changedAt: 'for the clearing alone',
  },
  webhookDeliveries: {
    endpointId: 'shown as url',
    'data answer': 'shown in the details',
    leasedUntil: "the sender's own note",
  },
  webhookEndpoints: {
    topics: 'shown as topicText',
    'secret previousSecret': 'sealed, told once',
    'enabled offReason': 'shown as state',
    removedAt: 'what is removed is not shown',
  },
  contentItems: { kind: 'each kind is a list of its own', pictureId: 'shown as picture' },
  exportJobs: {
    'path query': 'what is asked of the list',
    'rowsWritten rowsExpected': 'in its progress',
    'attempts heartbeatAt startedAt finishedAt peakMib': "the program's own notes",
    error: 'shown with its state',
  },
  feedbackMessages: { pictureId: 'shown as picture' },
  hardwareOrders: {
    'paidAt receivedAt returnedAt': 'steps of the details',
  },
  partnerApplications: {
    ipHash: 'kept for the limits',
    districtCode: 'shown as regionName',
    licenceId: 'a picture of the details',
    agentId: 'the partner that it became',
  },
  shopImports: {
    'heads defaults duplicates': 'asked for on the page of one import',
    prices: 'shown by the rehearsal',
    'problem startedByName startedAt rollBackByName rollBackReason rollBackAt': 'facts of the details',
    'startedBy rollBackBy': 'shown by name',
  },
  tableClearings: {
    tableKey: "the service's own name of the table",
    'askedBy decidedBy restoreBy': 'shown by name',
    'checksum percent events': 'facts of the details',
    'waitingSince backupAct emptyAct restoreAct backups backupId keptUntil backedUpAt silences lookAt':
      "the program's own notes",
  },
  partnerClosings: {
    'cursorAt cursorId': "the program's own notes",
    'problem tokenCents sms documentNo createdBy': 'facts of the details',
  },
  partnerClosingFailures: { 'closingId merchantId': 'told by the details' },
  partnerApplicationNotes: { applicationId: 'told by the details' },
  partnerApplicationCodes: { 'codeHash failures expiresAt usedAt': 'kept for the limits' },
  merchants: {
    passwordHash: 'a secret, noted as 密码 where it changes',
    paymentConfig: 'encrypted, noted as 支付参数 where it changes',
  },
  notices: {
    'traceId onceKey repeats repeatAt confirmedAt': 'notes of its delivery',
    'link args': 'where it leads',
    readAt: 'shown as weight',
  },
  outboxMessages: {
    'template params': 'shown as the text',
    'fee charged payer payerId documentNo': 'shown as segments, and in the ledger',
    campaignId: 'the list of a campaign asks for it',
    'provider providerId batchReference': 'by which receipts find it',
    'priority notBefore expiresAt claimedAt': "the sender's own notes",
    errorText: 'shown as the reason',
    'resendOf resentAs': 'shown as isReissued',
  },
  paymentDifferences: {
    reconciliationId: 'the list of a comparison asks for it',
    'resolvedByName resolvedAt': 'shown with its resolution',
  },
  paymentIntents: {
    'businessType displayUntil token': 'for the cashier',
    payeeAgentId: 'shown as payeeName',
    'expiresAt askedAt': 'facts of the details',
  },
  paymentReconciliations: {
    'billRefundFen ourRefundFen': 'shown with their numbers',
    wantedAt: 'shown as comparedAt once it is done',
  },
  paymentRefunds: { attemptId: 'shown as outTradeNo' },
  providerEvents: {
    settingsId: 'the account is that of its payment',
    'content body': 'kept as it came',
    processedAt: 'shown as its state',
  },
  onlineRenewals: {
    versionId: 'shown as versionName',
    intentId: 'part of its payment',
    scope: 'shown with shops in the details',
    'needCents tries tryAt triedAt': 'when the program tries again',
  },
  sellingPrices: { endedAt: 'only those that stand are listed' },
  serviceOrders: {
    'serviceId originalCents': 'shown as serviceName and its price',
    'quantityBefore expiresBefore expiresAfter': 'what an undo restores',
  },
  smsOrders: {
    'packageId rechargePackageId originalCents': 'shown as its name and price',
    bonusPieces: 'a fact of the details',
  },
  verifications: {
    'licenceId idFrontId idBackId': 'papers of the details',
    'idNumberMasked phoneVerifiedAt origins requestId': 'facts of the details',
    'savedBy savedByName savedAt': 'told by the log',
    handledBy: 'shown by name',
  },
  undoRequests: { 'requestedBy decidedBy': 'shown by name' },
  versionOrders: {
    'term periods shops branches unit unitCents purchaseCode batchNo versionId': 'shown as its content',
    draft: 'what its confirm needs',
    shopPaidFen: 'shown as sellingFen of its margin',
  },
  printTemplates: {
    kind: 'a list of each',
    industryIds: 'shown by name',
    content: 'shown as a picture',
    publishedRevision: 'shown as its state',
    'deletedAt deletedByName': 'told by its history',
  },
  receiptGroups: { section: 'said as sectionName', items: 'on the cards and in the form' },
  threads: {
    pictureId: 'shown as picture',
    assigneeId: 'shown by name',
    olderId: 'names where it is kept',
    passedAt: 'told by a note of the conversation',
    'lastShopId lastOfficeId officeSeen shopSeen': 'shown as unread, and as seen of each message',
    waitingSince: 'of the start page',
    words: 'for the search',
  },
  workOrders: {
    'createdBy assigneeId': 'shown by name',
    stoppedAt: 'shown as pressingAt while it runs, and in the details',
    'lastPartnerId lastVendorId partnerSeen vendorSeen': 'shown as unread, and as seen of each message',
    changedByName: 'told to whoever comes second',
    'closedAt ratedAt': 'facts of the details',
    'deletedAt deletedByName': 'what is deleted is shown to nobody, and told by the log',
    words: 'for the search',
  },
}

/** Tables whose rows no list shows one by one, and what shows them. */
const NOT_LISTED: Record<string, string> = {
  paperReadings: 'beside their papers, in the details of verification data',
  'agentLevels agentPaymentMethods industries paymentMethods services smsPackages': 'choices, by name',
  'approvalReasons businessDays managerLabels noticeTexts reasons removedRows threadAnswers verificationReasons':
    'in the one editor of reference data, which is made of declarations',
  'agentPayChannels noticePreferences noticeThresholds officeSettings smsRechargePackages':
    'settings, in their own dialogs',
  'shopImportMappings shopImportRows': 'lines of what is shown whole, and what is remembered of their heads',
  'agentLevelChanges discounts priceCampaigns prices': 'the books, with their history',
  'paymentSettings paymentSettingValues paymentSignKeys': 'settings, on their own page',
  'hardwareCartLines hardwareOrderLines merchantServices versionOrderEffects': 'lines of what is shown whole',
  'threadMessages threadPictures threadPresence': 'the conversation of a thread',
  'workOrderEvents workOrderMessages workOrderPictures workOrderPresence':
    'the conversation and the history of a work order',
  'ledgerAccounts ledgerDays ledgerEntries ledgerMoves ledgerTransfers':
    'balances and changes, by the ledger',
  'insightCohorts insightSums merchantCounts merchantDays orderDays smsDays smsUses': 'counts',
  insightPlans: 'by month and kind, with their history, on the page of income',
  'paymentAttempts tokenOrders': 'parts of a payment',
  'renewalOffers renewalPrices shopPageDrafts shopPagePictures shopPageVersions':
    'what is edited whole, on a page of its own',
  renewalMarks: 'the history of a shop',
  'demandEvents demandFiles demandPictures demandRelations demandSources demandSubscribers':
    'beside one demand, in its own form and log',
  downloadTakes: 'counted on its file',
  'printTemplateEvents printTemplatePictures printTemplateShops printTemplateVersions':
    'the history of a print template, in a dialog of its own',
  helpCategories: 'edited with the reference data',
  'helpPictures helpReads helpVotes': 'beside one article, counted on it',
  'factorChallenges factorFailures factorProofs factorRules factorTotps passkeys recoveryCodes':
    'what an account proves itself with, on its own page of security',
  'phoneChangeCodes smsTemplates verificationCodes': 'only the program reads them whole',
  'changeInbox shopChangeEnds shopChanges': 'read by programs',
  webhookCursor: 'how far the program is',
  'shopCodes shopSessions': 'the way to the page of a shop, at the shop',
  partnerInvitations: 'the way in, told beside the terms of a partner',
}

const words = (map: Record<string, unknown> = {}) => Object.keys(map).flatMap(keys => keys.split(' '))
/** The fields of an owner's tables, also those that the feature's desk declares. */
const DESKS: Record<string, string> = {
  'partner-desk': 'agents',
  'order-details': 'purchases',
  'message-desk': 'messages',
  'payment-desk': 'payments',
  'sms-desk': 'sms',
}
const fieldsOf = (owner: string) =>
  DECLARED.filter(({ feature }) => featureAt(owner) === (DESKS[feature] ?? feature)).map(
    ({ fields }) => fields,
  )

test('every column of a listed table is a field or says why it is none', () => {
  const broken = TABLES.flatMap(({ name, owner, columns }) => {
    const fields = fieldsOf(owner)
    if (fields.length === 0 || words(NOT_LISTED).includes(name)) return []
    const isField = (key: string) => fields.some(declared => key in declared)
    const reasons = words(NO_FIELD_OF[name])
    const keys = Object.keys(getTableColumns(columns))
    const forgotten = keys.filter(key => !isField(key) && !(key in NO_FIELD) && !reasons.includes(key))
    return [
      ...forgotten.map(key => `${name}.${key} is no field`),
      ...reasons.filter(key => !keys.includes(key)).map(key => `${name} has no column ${key}`),
      ...reasons.filter(isField).map(key => `${name}.${key} is a field after all`),
    ]
  })
  forbid(broken, 'Name it in fields.ts, or say here why it is none.')
  const names = TABLES.map(({ name }) => name)
  const gone = [...words(NOT_LISTED), ...Object.keys(NO_FIELD_OF)].filter(name => !names.includes(name))
  assert.deepEqual(gone, [], 'These tables are not there any more.')
})

const PAGES = PRODUCT.filter(({ path }) => path.endsWith('.tsx'))
  .map(({ text }) => text)
  .join('\n')
/** Facts that show more than the text of a field. */
const OTHER_FACTS = ['address', 'remark']

test('every field that a form takes has its control, and every text that is typed is a fact', () => {
  const fields: Fields = MERCHANT_FIELDS
  const entered = new Set([...keysIn(fields, 'add'), ...keysIn(fields, 'edit')])
  const unseen = [...entered].filter(key => {
    const group = fields[key]?.control?.group
    return !PAGES.includes(group === undefined ? `name="${key}"` : `group="${group}"`)
  })
  assert.deepEqual(
    unseen,
    [],
    'Give a plain text a group, and any other field its control in MerchantFields.tsx.',
  )
  const facts: readonly string[] = [...Object.values(MERCHANT_FACTS).flat(), ...OTHER_FACTS]
  const unread = [...entered].filter(key => fields[key]?.control && !facts.includes(key))
  assert.deepEqual(unread, [], 'Name them in MERCHANT_FACTS.')
})

const LISTS = DECLARED.flatMap(({ list }) => list ?? [])
const OPS = new Map(listOps(contract).map(({ name, op }) => [name, op]))

test('every list is asked of the operation whose name it bears, with the parameters that it declares', () => {
  assert.ok(LISTS.length > 3)
  for (const list of LISTS) {
    const op = OPS.get(list.key)
    assert.ok(op, `${list.key} is no operation`)
    const shape = (op['~orpc'].inputSchema as unknown as z.ZodObject).shape
    const declared = [
      'page',
      'size',
      ...(list.search === undefined ? [] : ['search']),
      ...(list.sorts ? ['sort', 'order'] : []),
      ...Object.entries(list.filters ?? {}).flatMap(([key, filter]) => paramsOf(key, filter)),
    ]
    assert.deepEqual(
      declared.filter(name => !(name in shape)),
      [],
      `${list.key} does not take them`,
    )
  }
})

test('a list names fields that are there, for its columns, what they show besides, and its sorts', () => {
  for (const { key, fields, columns, sorts = [] } of LISTS) {
    const named = [
      ...Object.entries(columns).flatMap(([name, column]) => [name, ...besides(column)]),
      ...sorts,
    ]
    assert.deepEqual(
      named.filter(name => !(name in fields)),
      [],
      key,
    )
    const titles = Object.values(columns).filter(({ card }) => card === 'title')
    assert.equal(titles.length, 1, `${key}: one column is the title of a card`)
  }
})

/** Places in an order, and what is drawn with a unit of its own size. */
const NO_UNIT = ['index', 'position', 'byteSize', 'weight']

test('the head of every amount and every number says what it counts', () => {
  const silent = LISTS.flatMap(list =>
    Object.entries(list.columns)
      .flatMap(([key, { also = [] }]) => [key, ...also])
      .filter(key => {
        const field = fieldOf(list, key)
        const counts = field.kind === 'money' || field.kind === 'count'
        return (
          counts &&
          field.unitIn === undefined &&
          !NO_UNIT.includes(key) &&
          !/[元币条家天件次个人项行%]/.test(headOf(field))
        )
      })
      .map(key => `${list.key}.${key}`),
  )
  forbid(silent, 'Give the field a unit.')
})
