// Orders of every kind, the settlement centre, and value-added services.
import { all, always, named as at, BOTH, type Call, listed, of, type Step, told } from '../call.ts'
import {
  IS_STORE,
  ORDER_ROW,
  PAGE,
  PAY_METHOD,
  PAY_METHODS,
  SALES,
  SALES_NAMES,
  SEARCHED,
  SHOP_ID,
  SOUGHT,
} from '../names.ts'
import { amount, day, factor, instant, named, states, text, whole, wholeOrAll } from '../units.ts'

const ORDER_STATUS = states({ quoted: 1, paid: 2, recycled: 3 }, ['', -1])

const FILE_FILTERS = {
  search: SOUGHT,
  versionId: of('sv_versionid', wholeOrAll),
  payMethod: of('sv_payment|payment', PAY_METHOD),
  salesType: of('order_type', SALES),
  status: of('sv_orderstatus', ORDER_STATUS),
  actorId: of('sv_operation_id', wholeOrAll),
  paidFrom: of('startDate', day),
  paidTo: of('endDate', day),
} as const
const ORDER_FILTERS = { ...PAGE, ...FILE_FILTERS } as const

const undo = (...names: string[]): Step => ({
  operation: 'settlement.undo',
  takes: {
    kind: of('kind', states({ version: 'version', service: 'service', sms: 'sms' }), always('version')),
    orderNo: of(['order_id', ...names].join('|'), text, always('')),
    reason: of('reason|desc|remark', text, always('旧接口撤销')),
  },
})
const UNDONE = told('state', named({ undone: '撤销成功', pending: '已提交审批' }))

const SHOP_SERVICES = {
  merchant: {
    user_id: told('merchant.id'),
    sv_us_name: told('merchant.shopName'),
    isStore: told('merchant.storeKind', IS_STORE),
  },
  service: {
    sv_id: told('id'),
    sv_user_config_code: told('code'),
    sv_user_config_name: told('name'),
    sv_remark: told('remark'),
    sv_code_type: told('unit', states({ year: 1, piece: 2 })),
    sv_config_value: told('quantity'),
    sv_unitprice: told('unitCents', amount),
    sv_expire_date: told('expiresAt', instant),
  },
} as const

export const ORDERS: readonly Call[] = [
  {
    name: 'PTGetOrderList',
    also: ['getVersionOrderData', 'PTGetOrderList_new'],
    methods: BOTH,
    path: at('PTGetOrderList'),
    said: 'D2 §3 Version order row, §7 getVersionOrderData, D3 §7, After-sales tools',
    chosen: 'sv_version_name chooses nothing, sv_versionid does; PTGetOrderList_new is the same list',
    envelope: 'values',
    does: {
      steps: [{ operation: 'orders.list', takes: ORDER_FILTERS }],
      tells: listed(ORDER_ROW, { totalMoney: told('settledCents', amount) }),
    },
  },
  {
    name: 'PTUpdateOrderRemark',
    also: ['updateRemark'],
    methods: BOTH,
    path: at('PTUpdateOrderRemark'),
    said: 'D2 §7 updateRemark (code 1, msg), §8, D3 §7',
    envelope: 'data',
    does: {
      steps: [
        {
          operation: 'orders.setRemark',
          takes: {
            orderNo: of('order_id', text, always('')),
            remark: of('remark|sv_distributororder_remark', text, always('')),
          },
        },
      ],
      tells: told('remark'),
    },
  },
  {
    name: 'PTGetOrderList_Printing',
    also: ['getOrderListPrinting'],
    methods: BOTH,
    path: at('PTGetOrderList_Printing'),
    said: 'D2 §7 getOrderListPrinting, D3 §7',
    chosen: 'The link has the same filters, and the client’s own key',
    envelope: 'values',
    does: { steps: [], tells: { opens: at('PTGetOrderList_File') } },
  },
  {
    name: 'PTGetOrderList_File',
    methods: ['GET'],
    path: at('PTGetOrderList_File'),
    said: '—',
    chosen: 'What the link of PTGetOrderList_Printing leads to',
    envelope: 'values',
    does: { file: 'orders.list', takes: FILE_FILTERS },
  },
  {
    name: 'PTHardwareShipments',
    methods: ['GET'],
    path: at('PTHardwareShipments'),
    said: 'D2 §7 Orders',
    chosen: 'values is 1; the carrier is taken where it is sent, else 快递',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'hardware.ship',
          takes: {
            orderNo: of('sv_order_number', text, always('')),
            carrier: of('carrier', text, always('快递')),
            trackingNo: of('shipmentsnumber', text, always('')),
          },
        },
      ],
      tells: always(1),
    },
  },
  {
    name: 'getHardwareOrderList',
    methods: BOTH,
    path: at('getHardwareOrderList'),
    said: 'D2 §3 Hardware order, §7 “Loading of the hardware order list is not shown”',
    chosen: 'The name is ours',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'hardware.orders',
          takes: {
            ...SEARCHED,
            status: of(
              'sv_delivery_status',
              states(
                {
                  awaitingPayment: 0,
                  awaitingShipment: 1,
                  shipped: 2,
                  received: 3,
                  returned: 4,
                  complete: 5,
                  cancelled: 6,
                },
                ['', -1],
              ),
            ),
          },
        },
      ],
      tells: listed({
        sv_order_number: told('orderNo'),
        user_id: told('agentId'),
        sv_contact_name: told('contactName'),
        sv_contact_phone: told('contactPhone'),
        sv_contact_address: told('fullAddress'),
        productList: {
          each: 'lines',
          of: all({
            product_name: told('productName'),
            sv_product_unitprice: told('unitCents', amount),
            sv_product_num: told('quantity'),
            sv_product_total: told('totalCents', amount),
          }),
        },
        sv_price_total: told('totalCents', amount),
        sv_delivery_time: told('shippedAt', instant),
        sv_finish_time: told('finishedAt', instant),
        order_payment: told('payMethod', named(PAY_METHODS)),
        sv_delivery_status: told(
          'deliveryStatus',
          states({
            awaitingPayment: 0,
            awaitingShipment: 1,
            shipped: 2,
            received: 3,
            returned: 4,
            complete: 5,
            cancelled: 6,
          }),
        ),
        shipmentsnumber: told('trackingNo'),
      }),
    },
  },
  {
    name: 'getAppreciationOrderData',
    methods: BOTH,
    path: at('getAppreciationOrderData'),
    said: 'D2 §3 Appreciation order, §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'services.orders',
          takes: {
            ...SEARCHED,
            state: of('state', states({ unfinished: 0, completed: 1, recalled: 5 }, ['', -1])),
          },
        },
      ],
      tells: listed(
        {
          sv_services_order_code: told('orderNo'),
          sv_user_id: told('merchantId'),
          sv_us_name: told('shopName'),
          sv_services_name: told('serviceName'),
          sv_unitprice: told('unitCents', amount),
          sv_number: told('quantity'),
          sv_totalprice: told('totalCents', amount),
          sv_payment_date: told('paidAt', instant),
          sv_paytype: told('payMethod', named(PAY_METHODS)),
          sv_d_user_name: told('createdByName'),
          sv_order_remark: told('remark'),
          sv_order_state: told('state', states({ unfinished: 0, completed: 1, recalled: 5 })),
        },
        { totalMoney: told('totalCents', amount) },
      ),
    },
  },
  {
    name: 'GetPTValueAddedPackage',
    also: ['getValueAddedServices'],
    methods: BOTH,
    path: at('GetPTValueAddedPackage'),
    said: 'D1 §3 Value-added service, §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'services.ofMerchant', takes: { merchantId: SHOP_ID } }],
      tells: all({
        ...SHOP_SERVICES.merchant,
        discount: told('discountBasisPoints', factor),
        discount_type: always(1),
        sv_buyoperatornumber: told('buyOperatorNumber'),
        sv_dw_balance: told('balanceCents', amount),
        dataList: {
          each: 'groups',
          of: all({
            sv_user_config_code: told('code'),
            sv_user_config_name: told('name'),
            sv_remark: told('remark'),
            childDetailList: { each: 'services', of: all(SHOP_SERVICES.service) },
          }),
        },
      }),
    },
  },
  {
    name: 'PTDistributorBuyFuncList',
    also: ['purchaseValueAdded'],
    methods: BOTH,
    path: at('PTDistributorBuyFuncList'),
    said: 'D1 §7 purchaseValueAdded, D3 §7',
    chosen:
      'services (or list): a JSON list of sv_id, sv_number and years; sv_totalprice is what the client showed, and another price is refused',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'services.buy',
          takes: {
            merchantId: SHOP_ID,
            items: {
              each: ['services', 'list'],
              of: {
                serviceId: of('sv_id', whole),
                quantity: of('sv_number|sv_config_value', whole, always(1)),
                years: of('years', whole, always(1)),
              },
            },
            remark: of('sv_order_remark', text, always('')),
            totalCents: of('sv_totalprice', amount),
          },
        },
      ],
      tells: all({
        sv_totalprice: told('totalCents', amount),
        sv_dw_balance: told('balanceAfterCents', amount),
        dataList: {
          each: 'orders',
          of: all({
            sv_services_order_code: told('orderNo'),
            sv_services_name: told('serviceName'),
            sv_number: told('quantity'),
            sv_totalprice: told('totalCents', amount),
            sv_expire_date: told('expiresAfter', instant),
          }),
        },
      }),
    },
  },
  {
    name: 'PTmoney',
    methods: BOTH,
    path: at('PTmoney'),
    said: 'D3 §3 Billing order, §7 Settlement',
    chosen: 'Taken for the billing list, which has no other name',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'settlement.bills',
          takes: { ...SEARCHED, salesType: of('sv_salestype|salestype|order_type', SALES) },
        },
      ],
      tells: listed(
        {
          sv_order_id: told('orderNo'),
          order_id: told('orderNo'),
          user_id: told('merchantId'),
          sv_us_name: told('shopName'),
          sv_ul_acountno: told('account'),
          sv_ul_name: told('personName'),
          sv_salestype: told('salesType', SALES),
          sv_salestype_name: told('salesType', named(SALES_NAMES)),
          sv_order_content: told('content'),
          sv_receivable: told('originalCents', amount),
          sv_payable: told('totalCents', amount),
          sv_dl_name: told('levelName'),
          sv_orderstatu: told('status', states({ paid: 2, recycled: 3 })),
          sv_ordercreationdate: told('createdAt', instant),
          sv_paymentdate: told('paidAt', instant),
        },
        { totalReceivable: told('originalCents', amount), totalPayable: told('totalCents', amount) },
      ),
    },
  },
  {
    name: 'PTGetDistributorWalletCostList',
    methods: BOTH,
    path: at('PTGetDistributorWalletCostList'),
    said: 'D3 §3 Balance change, §7 Settlement',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'ledger.changes',
          takes: {
            ...SEARCHED,
            payMethod: of('payment|sv_paytype', PAY_METHOD),
            actorId: of('operator|sv_operation_id', wholeOrAll),
          },
        },
      ],
      tells: listed({
        user_id: told('merchantId'),
        order_id: told('orderNo'),
        sv_dwc_desc: told('description'),
        sv_dwc_amount: told('amountCents', amount),
        sv_paytype: told('payMethod', named(PAY_METHODS)),
        sv_dwc_amountbefore: told('balanceBeforeCents', amount),
        sv_dwc_amountafter: told('balanceAfterCents', amount),
        sv_d_user_name: told('actorName'),
        sv_d_user_name2: told('requestedByName'),
        sv_distributororder_remark: told('orderRemark'),
        sv_cost_remark: told('remark'),
        sv_dwc_date: told('createdAt', instant),
        sv_do_price: told('priceCents', amount),
      }),
    },
  },
  {
    name: 'PTOrderRecove',
    methods: BOTH,
    path: at('PTOrderRecove'),
    said: 'D3 §7 Settlement “Undo order”, §8',
    chosen: 'The reason that an undo asks for is taken where it is sent, else 旧接口撤销',
    envelope: 'values',
    does: { steps: [undo('ordercode')], tells: UNDONE },
  },
]
