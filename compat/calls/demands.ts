// What shops and partners say: demands, feedback, work orders and questions from the website.
import { all, always, named as at, BOTH, type Call, had, listed, of, rows, type Step, told } from '../call.ts'
import { PAGE, SEARCHED } from '../names.ts'
import {
  day,
  flag,
  instant,
  instantOrNull,
  named,
  payload,
  picture,
  several,
  states,
  text,
  whole,
  wholeOrAll,
  wholeOrNull,
} from '../units.ts'

const PRIORITY_NUMBERS = { normal: 1, minor: 2, major: 3, critical: 4 }
const TYPE_NUMBERS = { bug: 1, improvement: 2, requirement: 3, scenario: 4 }
const CLIENT_NUMBERS = {
  pcWeb: 1,
  pcGreen: 2,
  pcBlue: 3,
  android: 4,
  ios: 5,
  miniProgram: 6,
  microMall: 7,
  agentPlatform: 8,
  website: 9,
  academy: 10,
}
const STATUS_NUMBERS = {
  feedbacked: 1,
  toSchedule: 2,
  developing: 3,
  testing: 4,
  online: 5,
  postponed: 6,
  rejected: -1,
}
const STATUS_NAMES: Readonly<Record<string, string>> = {
  feedbacked: '已反馈',
  toSchedule: '待排期',
  developing: '开发中',
  testing: '测试中',
  online: '已上线',
  postponed: '暂缓',
  rejected: '已拒绝',
}
const [PRIORITY, TYPE, CLIENT, STATUS] = [PRIORITY_NUMBERS, TYPE_NUMBERS, CLIENT_NUMBERS, STATUS_NUMBERS].map(
  table => states(table, ['', 0]),
) as [
  ReturnType<typeof states>,
  ReturnType<typeof states>,
  ReturnType<typeof states>,
  ReturnType<typeof states>,
]

const FILTERS = {
  search: of(
    'Query',
    payload(
      'text; empty: all',
      sent => (sent === '' ? undefined : String(sent)),
      s => s,
    ),
  ),
  ownerId: of('sv_master_id', wholeOrAll),
  priority: of('sv_priority', PRIORITY),
  type: of('sv_type', TYPE),
  client: of('sv_client_type', CLIENT),
  createdFrom: of('sv_createtime_begin', day),
  createdTo: of('sv_createtime_end', day),
  deadlineFrom: of('sv_endtime_begin', day),
  deadlineTo: of('sv_endtime_end', day),
} as const

const TASK = {
  sv_id: told('id'),
  sv_title: told('title'),
  sv_path: told('path'),
  user_id: told('merchantId'),
  sv_us_name: told('shopName'),
  sv_master_id: told('ownerId'),
  sv_d_user_name: told('ownerName'),
  sv_priority: told('priority', PRIORITY),
  sv_type: told('type', TYPE),
  sv_client_type: told('client', CLIENT),
  sv_uit_name: told('industryName'),
  sv_end_time: told('deadline', instant),
  sv_status: told('status', STATUS),
  sv_created_by: told('createdByName'),
  sv_creation_date: told('createdAt', instant),
} as const

const DEMAND_ID = of('sv_id|id', whole)
const TRACKER = 'D3 §3 Demand task, §7 Demand tracker'

type Counted = readonly { status: string; count: number }[]
const COUNTS = payload(
  'count by the name of the status',
  sent => sent,
  answered =>
    Object.fromEntries(
      (answered as Counted).map(({ status, count }) => [STATUS_NAMES[status] ?? status, count]),
    ),
)

const THREAD_STATE = states({ awaiting: 100, replied: 200, closed: 300 }, ['', -1])
export const THREAD_NAMES = { awaiting: '待回复', replied: '已回复', closed: '已关闭' }
const THREAD = 'D3 §3 Feedback (newer), §4, §7 Feedback and help'
const THREAD_ID = of('sv_feedback_message_id|id', whole)
const message = (name: string) => `/api/UserFeedBack_Message/${name}`
const SIDE = states({ shop: 1, agent: 2, vendor: 2, system: 3, note: 4 })

const WORK_STATES = { new: 1, accepted: 2, working: 3, waiting: 4, done: 5, closed: 6 }
const WORK_STATE = states(WORK_STATES, ['', -1, 0])
const WORK_KIND = states({ fault: 1, setup: 2, data: 3, payment: 4, hardware: 5, other: 6 }, ['', -1, 0])
const URGENCY = states({ normal: 1, urgent: 2, critical: 3 }, ['', -1, 0])
const WORK = 'D3 §7 Feedback and help “Work orders”'
const WORK_CHOSEN = 'The documents show no parameters: names and numbers are ours'
const work = (name: string) => `/api/WorkOrder/${name}`
/** A work order as it stands in a list, or within its details. */
const order = (within: string) => ({
  id: told(`${within}id`),
  title: told(`${within}title`),
  kind: told(`${within}kind`, WORK_KIND),
  urgency: told(`${within}urgency`, URGENCY),
  state: told(`${within}state`, WORK_STATE),
  user_id: told(`${within}merchantId`),
  sv_us_name: told(`${within}shopName`),
  sv_created_by: told(`${within}createdByName`),
  sv_creation_date: told(`${within}createdAt`, instant),
  last_date: told(`${within}lastAt`, instant),
  last_text: told(`${within}lastText`),
})

type WorkCount = readonly { state: keyof typeof WORK_STATES; count: number }[]
const WORK_COUNTS = payload(
  'count by the number of the state',
  sent => sent,
  answered =>
    Object.fromEntries((answered as WorkCount).map(({ state, count }) => [WORK_STATES[state], count])),
)

const DETAILS_WITH_ID: Step = {
  operation: 'demands.details',
  as: 'kept',
  when: { given: 'sv_id' },
  takes: { id: DEMAND_ID },
}

export const DEMANDS: readonly Call[] = [
  {
    name: 'getDemandList',
    methods: BOTH,
    path: at('getDemandList'),
    said: TRACKER,
    envelope: 'values',
    does: {
      steps: [{ operation: 'demands.list', takes: { ...PAGE, ...FILTERS, status: of('sv_status', STATUS) } }],
      tells: listed(TASK),
    },
  },
  {
    name: 'getStateCountStatistics',
    methods: BOTH,
    path: at('getStateCountStatistics'),
    said: TRACKER,
    envelope: 'values',
    does: { steps: [{ operation: 'demands.counts', takes: FILTERS }], tells: told('rows', COUNTS) },
  },
  {
    name: 'deleteDemandOrder',
    methods: BOTH,
    path: at('deleteDemandOrder'),
    said: TRACKER,
    chosen: 'It can be brought back in the office',
    envelope: 'values',
    does: { steps: [{ operation: 'demands.remove', takes: { id: DEMAND_ID } }], tells: told('id') },
  },
  {
    name: 'getDemandDetail',
    methods: BOTH,
    path: at('getDemandDetail'),
    said: TRACKER,
    envelope: 'values',
    does: {
      steps: [{ operation: 'demands.details', takes: { id: DEMAND_ID } }],
      tells: all({ ...TASK, sv_industry_type_id: told('industryId'), sv_description: told('description') }),
    },
  },
  {
    name: 'addDemand',
    methods: BOTH,
    path: at('addDemand'),
    said: 'D3 §5 Demand form, §7 Demand tracker',
    chosen: 'With sv_id a demand is changed, and what is not sent stays',
    envelope: 'values',
    does: {
      steps: [
        DETAILS_WITH_ID,
        {
          operation: 'demands.save',
          takes: {
            id: of('sv_id', wholeOrNull, always(null)),
            revision: had('kept.revision'),
            title: of('sv_title', text, had('kept.title', always(''))),
            path: of('sv_path', text, had('kept.path', always(''))),
            merchantId: of('user_id', text, had('kept.merchantId', always(''), text)),
            ownerId: of('sv_master_id', wholeOrNull, had('kept.ownerId', always(null))),
            priority: of('sv_priority', PRIORITY, had('kept.priority', always(null))),
            type: of('sv_type', TYPE, had('kept.type', always(null))),
            client: of('sv_client_type', CLIENT, had('kept.client', always(null))),
            industryId: of('sv_industry_type_id', wholeOrNull, had('kept.industryId', always(null))),
            deadline: of('sv_end_time', instantOrNull, had('kept.deadline', always(null))),
            status: of('sv_status', STATUS, had('kept.status', always('feedbacked'))),
            description: of('sv_description', text, had('kept.description', always(''))),
          },
        },
      ],
      tells: all({ sv_id: told('id') }),
    },
  },
  {
    name: 'PTGetPageUserFeedbackList',
    also: ['getFeedbackList'],
    methods: BOTH,
    path: at('PTGetPageUserFeedbackList'),
    said: 'D1 §3 Feedback, §7 getFeedbackList, D3 §3 Feedback (older), §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'feedback.list', takes: SEARCHED }],
      tells: listed({
        user_id: told('agentId'),
        sv_ul_name: told('createdByName'),
        sv_ul_mobile: told('phone'),
        picture: told('pictureId', picture),
        userfeedback_content: told('content'),
        creationdate: told('createdAt', instant),
      }),
    },
  },
  {
    name: 'UserFeedBack_Message',
    methods: BOTH,
    path: '/api/UserFeedBack_Message',
    said: THREAD,
    chosen: 'Envelope (b), as its record has',
    envelope: 'data',
    does: {
      steps: [
        {
          operation: 'threads.list',
          takes: {
            ...SEARCHED,
            state: of('state', THREAD_STATE),
            from: of('start_date', day),
            to: of('end_date', day),
          },
        },
      ],
      tells: listed({
        sv_feedback_message_id: told('id'),
        sv_user_id: told('merchantId'),
        sv_us_name: told('shopName'),
        sv_ul_acountno: told('account'),
        sv_feedback_img: told('pictureId', picture),
        sv_reply_name: told('repliedByName'),
        sv_message_title: told('title'),
        sv_message_state: told('state', THREAD_STATE),
        sv_message_state_name: told('state', named(THREAD_NAMES)),
        sv_created_date: told('createdAt', instant),
      }),
    },
  },
  {
    name: 'UserFeedBack_Message record info',
    methods: BOTH,
    path: message('GetRecordInfo'),
    said: THREAD,
    chosen: 'The path is ours. sv_record_type: 1 the shop, 2 the office, 3 a system message, 4 a note within',
    envelope: 'data',
    does: {
      steps: [{ operation: 'threads.details', takes: { id: THREAD_ID } }],
      tells: all({
        sv_feedback_message_id: told('thread.id'),
        sv_message_title: told('thread.title'),
        sv_message_state: told('thread.state', THREAD_STATE),
        dataList: rows(
          {
            sv_record_type: told('side', SIDE),
            sv_created_date: told('createdAt', instant),
            sv_d_user_name: told('authorName'),
            sv_message_title: {
              json: all({
                text: told('text'),
                imgs: { each: 'pictures', of: told('', picture) },
                type1: told('satisfaction', states({ unsatisfied: 100, average: 101, satisfied: 102 })),
                type2: told('resolution', states({ unresolved: 103, resolved: 104 })),
              }),
            },
          },
          'messages',
        ),
      }),
    },
  },
  {
    name: 'UserFeedBack_Message add record',
    methods: ['POST'],
    path: message('AddRecord'),
    said: THREAD,
    chosen: 'The path is ours; title is JSON with text and imgs',
    envelope: 'data',
    does: {
      steps: [
        { operation: 'threads.details', as: 'kept', takes: { id: THREAD_ID } },
        {
          operation: 'threads.reply',
          takes: {
            id: THREAD_ID,
            text: of('title.text|text', text, always('')),
            pictures: of('title.imgs|imgs', several(picture), always([])),
            revision: had('kept.thread.revision'),
          },
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'UserFeedBack_Message update state',
    methods: BOTH,
    path: message('UpdateState'),
    said: THREAD,
    chosen: 'The path is ours; 300 is the one state that is set',
    envelope: 'data',
    does: {
      steps: [{ operation: 'threads.close', when: { sent: 'state', is: ['300'] }, takes: { id: THREAD_ID } }],
      tells: told('id'),
    },
  },
  {
    name: 'WorkOrder Query',
    methods: BOTH,
    path: work('Query'),
    said: WORK,
    chosen: WORK_CHOSEN,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'workOrders.list',
          takes: {
            ...SEARCHED,
            state: of('state', WORK_STATE),
            kind: of('kind', WORK_KIND),
            urgency: of('urgency', URGENCY),
          },
        },
      ],
      tells: listed(order('')),
    },
  },
  {
    name: 'WorkOrder Get',
    methods: BOTH,
    path: work('Get'),
    said: WORK,
    chosen: WORK_CHOSEN,
    envelope: 'values',
    does: {
      steps: [{ operation: 'workOrders.details', takes: { id: of('id', whole) } }],
      tells: all({
        ...order('order.'),
        dataList: rows(
          {
            sv_record_type: told('side', states({ partner: 1, vendor: 2, system: 3, note: 4 })),
            text: told('text'),
            sv_d_user_name: told('authorName'),
            sv_created_date: told('createdAt', instant),
          },
          'messages',
        ),
      }),
    },
  },
  {
    name: 'WorkOrder Update',
    methods: ['POST'],
    path: work('Update'),
    said: WORK,
    chosen: `${WORK_CHOSEN}. Without id one is written, with id something is added to it`,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'workOrders.create',
          when: { missing: 'id' },
          takes: {
            kind: of('kind', WORK_KIND, always('other')),
            urgency: of('urgency', URGENCY, always('normal')),
            title: of('title', text, always('')),
            text: of('text', text, always('')),
            merchantId: of('user_id', wholeOrNull, always(null)),
          },
        },
        {
          operation: 'workOrders.say',
          when: { given: 'id' },
          takes: { id: of('id', whole), text: of('text', text, always('')) },
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'WorkOrder Delete',
    methods: BOTH,
    path: work('Delete'),
    said: WORK,
    chosen: WORK_CHOSEN,
    envelope: 'values',
    does: { steps: [{ operation: 'workOrders.remove', takes: { id: of('id', whole) } }], tells: told('id') },
  },
  {
    name: 'WorkOrder GetStatusTotal',
    methods: BOTH,
    path: work('GetStatusTotal'),
    said: WORK,
    chosen: WORK_CHOSEN,
    envelope: 'values',
    does: { steps: [{ operation: 'workOrders.counts' }], tells: told('rows', WORK_COUNTS) },
  },
  {
    name: 'GetClientInformation',
    also: ['getClientInformation'],
    methods: BOTH,
    path: '/api/DekeWebsiteSetting/GetClientInformation',
    said: 'D1 §3 Website consultation, §7, D3 §7 Feedback and help',
    envelope: 'values',
    does: {
      steps: [{ operation: 'consultations.list', takes: SEARCHED }],
      tells: listed({
        id: told('id'),
        sv_name: told('name'),
        sv_mobile: told('mobile'),
        sv_address: told('address'),
        sv_is_contacted: told('contacted', flag),
        sv_contacted_date: told('contactedAt', instant),
        sv_creation_date: told('createdAt', instant),
      }),
    },
  },
  {
    name: 'UpdateContacted',
    also: ['updateContacted'],
    methods: BOTH,
    path: '/api/DekeWebsiteSetting/UpdateContacted',
    said: 'D1 §7, D3 §7 Feedback and help',
    envelope: 'values',
    does: {
      steps: [{ operation: 'consultations.contact', takes: { id: of('id', whole) } }],
      tells: told('contacted'),
    },
  },
]
