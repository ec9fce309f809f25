// Every address of the documents (D1 §2, D2 §2, D3 §2) leads to a page: its own, or where it went.
import assert from 'node:assert/strict'
import test from 'node:test'
import { HOME_PATH } from './paths.ts'
import { pageAt, REDIRECTS, ROUTE_PAGES } from './route-pages.ts'

const under = (group: string, ...names: string[]) => names.map(name => `/admin/${group}/${name}`)

/** Those that are a page of that very address. */
const PAGES = [
  ...under(
    'merchant',
    'addUser',
    'myMerchant',
    'addedServices',
    'secondary',
    'merchantDetails',
    'versionUp1',
  ),
  ...under('merchant', 'source', 'overdueMerchants', 'smsManage', 'storeName', 'appellationManage'),
  ...under('merchant', 'smsManageError', 'merchantImport', 'merchantImportDetail', 'messageEditing'),
  ...under('order', 'msgOrder', 'versionsOrder', 'hardwareOrder', 'appreciationOrder', 'msgChanges'),
  ...under('detail', 'billingDetails', 'personalDetails', 'merchantMsgChanges'),
  ...under('account', 'personalData', 'changePassword', 'msgRecharge', 'settingPayFor', 'customization'),
  ...under('account', 'roleControl', 'userControl', 'operationLog'),
  ...under('help', 'feedback', 'feedbackList', 'downloads', 'problem'),
  ...under('template', 'labelPrintList', 'labelPrinting', 'ticketGroup', 'createGroup', 'editTicketStyle'),
  ...under('template', 'ticketPrinting'),
  ...under('schedule', 'payApplication', 'submitPayment', 'payInformation'),
  ...under('schedule', 'appApplication', 'creationApplet', 'UpdateApplet', 'existingApplet'),
  ...under('schedule', 'AppletFlow', 'determineApplet'),
  ...under('tool', 'order', 'version', 'merchantsToAdjust', 'delay', 'clearTable', 'importDeposit'),
  ...['/admin/index', '/admin/index/hardwareShop', '/admin/demand', '/admin/demandForm'],
]

const WENT: readonly [from: string, to: string][] = [
  ['/admin', HOME_PATH],
  ['/admin/merchant', '/admin/merchant/myMerchant'],
  ['/admin/merchant/versionUpdata', '/admin/merchant/versionUp1'],
  ['/admin/order', '/admin/order/versionsOrder'],
  ['/admin/detail', '/admin/detail/billingDetails'],
  ['/admin/account', '/admin/account/personalData'],
  ['/admin/account/merchantMsgChanges', '/admin/detail/merchantMsgChanges'],
  ['/admin/help', '/admin/help/problem'],
  ['/admin/template', '/admin/template/labelPrintList'],
  ['/admin/tool', '/admin/tool/order'],
  ['/admin/tool/merchantImportH5', '/admin/merchant/acquiring'],
  ['/admin/schedule', '/admin/inbox'],
]

test('every address of a page of the documents is that page', () => {
  assert.deepEqual(
    PAGES.filter(path => pageAt(path)?.path !== path),
    [],
  )
})

test('every other address of the documents leads to where it went', () => {
  assert.deepEqual(
    WENT.filter(([from, to]) => pageAt(from)?.path !== to),
    [],
  )
})

test('no address leads on to another that leads on, or away from a page', () => {
  for (const [from, to] of Object.entries(REDIRECTS)) {
    const [path = to] = to.split('#')
    assert.ok(!(path in REDIRECTS), `${from} leads to ${path}, which leads on`)
    assert.ok(pageAt(path), `${from} leads to ${path}, where no page is`)
    assert.ok(!ROUTE_PAGES.some(page => page.path === from), `${from} is a page`)
  }
})
