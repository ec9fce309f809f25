// Signing in, the start page, one's own company, its people and its log.
import { all, always, BOTH, type Call, had, listed, named, of, rows, told } from '../call.ts'
import { PAGE, SEARCHED } from '../names.ts'
import {
  amount,
  day,
  division,
  flag,
  instant,
  jsonOf,
  payload,
  picture,
  text,
  whole,
  wholeOrNull,
} from '../units.ts'

type Node = { id: number; parentId: number | null; name: string; path: string; marker: string }
type MenuEntry = { id: number; page_name: string; page_path: string; quanxian: string; children: MenuEntry[] }

/** Nodes as the tree that the documents have, each with those under it. */
const tree = payload(
  'tree of permission nodes',
  sent => sent,
  answered => {
    const nodes = answered as readonly Node[]
    const ids = new Set(nodes.map(({ id }) => id))
    const below = (parentId: number | null): MenuEntry[] =>
      nodes
        .filter(one => (parentId === null ? !ids.has(one.parentId ?? 0) : one.parentId === parentId))
        .map(({ id, name, path, marker }) => ({
          id,
          page_name: name,
          page_path: path,
          quanxian: marker,
          children: below(id),
        }))
    return below(null)
  },
)

/** Nodes of a role, as their ids or as what has an id. */
const nodeIds = payload(
  'JSON list of nodes with id, or of ids',
  sent => {
    const list = jsonOf(sent)
    if (!Array.isArray(list)) return sent
    return list.map((one: unknown) => Number(typeof one === 'object' ? (one as { id: unknown }).id : one))
  },
  answered => (Array.isArray(answered) ? answered.map((id: number) => ({ id })) : answered),
)

const PERSON = {
  name: of('sv_d_user_name'),
  loginName: of('sv_d_user_account_no'),
  roleId: of('sv_d_role_id', wholeOrNull, always(null)),
  mobile: of('sv_d_user_mobile', text, always('')),
  wechat: of('sv_user_wx', text, always('')),
  remark: of('sv_remark', text, always('')),
  portraitId: of('sv_user_portrait', picture, always(null)),
} as const
const PERSON_ID = of('sv_d_user_id|user_id', whole)
const ROLE_ID = of('sv_d_role_id|role_id', whole)
/** What is not there yet is sent as an empty text. */
const blank = payload(
  'text',
  had => had ?? '',
  answered => answered,
)
/** What they ask a person for cannot be asked of a program. */
const BY_PERSON =
  'A second factor is asked for where the account has one, which no program can prove: refused in words'

const UPLOADS: Readonly<Record<string, string>> = {
  Product: 'label-background',
  applet: 'shopDocument',
  payment: 'shopDocument',
  approval: 'approval',
  demand: 'demand-picture',
}

export const ACCOUNT: readonly Call[] = [
  {
    name: 'AppLogin',
    methods: ['POST'],
    path: named('AppLogin'),
    said: 'D1 §7 Login, D3 §7, D3 §9',
    chosen:
      'Both readings of the signature; the timestamp in seconds or milliseconds, within five minutes; a nonce once; only accounts whose owner has opened this door',
    envelope: 'values',
    isOpen: true,
    does: {
      steps: [
        {
          operation: 'compatAccess.enter',
          takes: {
            userName: of('userName', text, always('')),
            timestamp: of('timestamp', text, always('')),
            nonce: of('nonce', text, always('')),
            signature: of('signature', text, always('')),
          },
        },
      ],
      tells: all({
        access_token: told('token'),
        usertype: told('userType'),
        user_id: told('agentId'),
        sv_d_user_id: told('accountId'),
        sv_d_user_name: told('name'),
        expires: told('expiresAt', instant),
        sv_d_role_config: { json: told('nodes', tree) },
      }),
    },
  },
  {
    name: 'PTTheUserBasicInformation',
    also: ['PTTheUserBasicInformationV2', 'getAgentInformation'],
    methods: BOTH,
    path: named('PTTheUserBasicInformation'),
    said: 'D1 §7, D3 §3 Agent info, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        { operation: 'agentProfile.find', as: 'profile' },
        { operation: 'ledger.wallet', as: 'wallet' },
      ],
      tells: all({
        distributor_id: told('profile.agentId'),
        sv_d_companyname: told('profile.companyName'),
        sv_d_name: told('profile.contactName'),
        sv_d_mobile: told('profile.mobile'),
        sv_d_phone: told('profile.telephone'),
        sv_d_address: told('profile.address'),
        sv_d_province: told('profile.districtCode', division(2)),
        sv_d_city: told('profile.districtCode', division(4)),
        sv_d_district: told('profile.districtCode'),
        sv_dl_name: told('profile.levelName'),
        sv_dc_domain: told('profile.domainLabel'),
        sv_dc_websitelogo: told('profile.logoId', picture),
        hotline: told('profile.hotline'),
        qq: told('profile.qq'),
        wechat: told('profile.wechat'),
        sv_dw_balance: told('wallet.tokenCents', amount),
        sv_sms_balance: told('wallet.sms'),
      }),
    },
  },
  {
    name: 'GetPTYesterdayTotal',
    also: ['getOrderUpsAndDowns'],
    methods: BOTH,
    path: named('GetPTYesterdayTotal'),
    said: 'D1 §3 Dashboard statistics, D1 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'dashboard.figures' }],
      tells: all({
        s_todaytotal: told('tiles.sms.today'),
        s_yesterday_total: told('tiles.sms.yesterday'),
        u_todaytotal: told('tiles.merchants.today'),
        u_yesterday_total: told('tiles.merchants.yesterday'),
        d_todaytotal: told('tiles.versions.today'),
        d_yesterday_total: told('tiles.versions.yesterday'),
        v_todaytotal: told('tiles.services.today'),
        v_yesterday_total: told('tiles.services.yesterday'),
      }),
    },
  },
  {
    name: 'getNoticeList',
    methods: BOTH,
    path: named('getNoticeList'),
    said: 'D1 §3 Notice, D1 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'content.notices', takes: PAGE }],
      tells: listed({
        id: told('id'),
        sv_message_title: told('title'),
        sv_message_content: told('summary'),
        sv_creation_date: told('publishedAt', instant),
      }),
    },
  },
  {
    name: 'PTUpdateUserInfo',
    methods: ['POST'],
    path: named('PTUpdateUserInfo'),
    said: 'D3 §7 Account',
    chosen: 'A program with a token must not change the password of its person: refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'signIn.changePassword',
          takes: {
            oldPassword: of('d', text, always('')),
            newPassword: of('xinpwd', text, always('')),
            confirmation: of('con', text, always('')),
          },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTGetDistributorRoleList',
    methods: BOTH,
    path: named('PTGetDistributorRoleList'),
    said: 'D3 §3 Role, D3 §7 Account',
    chosen: 'The list does not tell what a role may: sv_d_role_config is empty',
    envelope: 'values',
    does: {
      steps: [{ operation: 'team.roles', takes: SEARCHED }],
      tells: listed({
        sv_d_role_id: told('id'),
        sv_d_role_name: told('name'),
        sv_d_role_remark: told('remark'),
        sv_enabled: told('enabled'),
        sv_creation_date: told('createdAt', instant),
        sv_d_role_config: always('[]'),
      }),
    },
  },
  {
    name: 'PTAddDistributorRole',
    methods: BOTH,
    path: named('PTAddDistributorRole'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'team.addRole',
          when: { missing: 'sv_d_role_id' },
          takes: { name: of('sv_d_role_name'), remark: of('sv_d_role_remark', text, always('')) },
        },
        {
          operation: 'team.editRole',
          when: { given: 'sv_d_role_id' },
          takes: {
            id: ROLE_ID,
            name: of('sv_d_role_name'),
            remark: of('sv_d_role_remark', text, always('')),
          },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTOpterDistributorRole',
    methods: BOTH,
    path: named('PTOpterDistributorRole'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [{ operation: 'team.switchRole', takes: { id: ROLE_ID, enabled: of('sv_enabled', flag) } }],
      tells: always(true),
    },
  },
  {
    name: 'PTDelDistributorRole',
    methods: BOTH,
    path: named('PTDelDistributorRole'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: { steps: [{ operation: 'team.deleteRole', takes: { id: ROLE_ID } }], tells: always(true) },
  },
  {
    name: 'PTUpdateDistributorRoleConfig',
    methods: ['POST'],
    path: named('PTUpdateDistributorRoleConfig'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'team.setRights',
          takes: { id: ROLE_ID, nodeIds: of('sv_d_role_config|nodes', nodeIds) },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTGetDistributorUserList',
    also: ['getStaffList'],
    methods: BOTH,
    path: named('PTGetDistributorUserList'),
    said: 'D2 §7 Orders, D3 §3 Staff, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'team.staff', takes: SEARCHED }],
      tells: listed({
        sv_d_user_id: told('id'),
        sv_d_user_name: told('name'),
        sv_d_role_id: told('roleId'),
        sv_d_role_name: told('roleName'),
        sv_d_user_account_no: told('loginName'),
        sv_d_user_mobile: told('mobile'),
        sv_enabled: told('enabled'),
        sv_user_wx: told('wechat'),
        sv_user_portrait: told('portraitId', picture),
        sv_remark: told('remark'),
        sv_d_user_lastlogin: told('lastLoginAt', instant),
        sv_creation_date: told('createdAt', instant),
      }),
    },
  },
  {
    name: 'PTAddDistributorUser',
    methods: BOTH,
    path: named('PTAddDistributorUser'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'team.addPerson',
          when: { missing: 'sv_d_user_id' },
          takes: { ...PERSON, dataScope: always('all'), password: of('sv_d_user_pwd', text, always('')) },
        },
        {
          operation: 'team.editPerson',
          when: { given: 'sv_d_user_id' },
          takes: { ...PERSON, id: PERSON_ID, dataScope: always('all') },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'CheckAddDistributorUserAccountExist',
    methods: BOTH,
    path: named('CheckAddDistributorUserAccountExist'),
    said: 'D3 §7 Account',
    chosen: 'Answered of the agency’s own people, as whose account it is elsewhere is nobody’s to know',
    envelope: 'values',
    does: {
      steps: [{ operation: 'team.staff', takes: { search: of('account|sv_d_user_account_no') } }],
      tells: told(
        'total',
        payload(
          'true: there is one',
          sent => sent,
          answered => answered !== 0,
        ),
      ),
    },
  },
  {
    name: 'PTOpterDistributorUser',
    methods: BOTH,
    path: named('PTOpterDistributorUser'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [{ operation: 'team.switchPerson', takes: { id: PERSON_ID, enabled: of('sv_enabled', flag) } }],
      tells: always(true),
    },
  },
  {
    name: 'PTDelDistributorUser',
    methods: BOTH,
    path: named('PTDelDistributorUser'),
    said: 'D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: { steps: [{ operation: 'team.deletePerson', takes: { id: PERSON_ID } }], tells: always(true) },
  },
  {
    name: 'PTGetDistributorOptLog',
    methods: BOTH,
    path: named('PTGetDistributorOptLog'),
    said: 'D3 §3 Operation log, D3 §7 Account',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'operationLog.list',
          takes: { ...SEARCHED, from: of('start|start_date', day), to: of('end|end_date', day) },
        },
      ],
      tells: listed({
        sv_d_user_name: told('accountName'),
        log_operatemok: told('module'),
        log_operatemdec: told('title'),
        log_operatesubject: told('subject'),
        log_operatetime: told('createdAt', instant),
        log_operatedata: rows(
          { name: told('name'), before: told('before'), after: told('after') },
          'changes',
        ),
      }),
    },
  },
  {
    name: 'PTUpdateDistributorPayConfig',
    methods: ['POST'],
    path: named('PTUpdateDistributorPayConfig'),
    said: 'D3 §3 Payment config, D3 §7 Account',
    chosen: BY_PERSON,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'paymentSettings.save',
          when: { sent: 'type', is: ['wechat', 'wxpay'] },
          takes: {
            channel: always('wechat'),
            values: {
              all: {
                appid: of('config.Appid'),
                appSecret: of('config.AppSecret'),
                mchid: of('config.Nober'),
                payKey: of('config.PayKey'),
              },
            },
          },
        },
        {
          operation: 'paymentSettings.save',
          when: { sent: 'type', is: ['alipay'] },
          takes: {
            channel: always('alipay'),
            values: {
              all: {
                appId: of('config.appId'),
                privateKey: of('config.merchant_private_key'),
                alipayPublicKey: of('config.alipay_public_key'),
                signType: of('config.sign_type'),
                serviceProviderId: of('config.sys_service_provider_id'),
              },
            },
          },
        },
        {
          operation: 'paymentSettings.setSignKey',
          when: { given: 'signkey' },
          takes: { signKey: of('signkey') },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTGetCustom_config',
    methods: BOTH,
    path: named('PTGetCustom_config'),
    said: 'D3 §3 Home-page config, D3 §7 Account',
    envelope: 'values',
    does: {
      steps: [{ operation: 'shopPages.settings' }],
      tells: all({
        custom_config: {
          json: {
            each: 'content.blocks',
            of: all({
              type: told('type'),
              data: told('text'),
              is_enable: told('enabled'),
              isSkip: told('skips'),
              link: told('link'),
              img: told('pictureId', picture),
            }),
          },
        },
      }),
    },
  },
  {
    name: 'PTUpdateCustom_config',
    methods: ['POST'],
    path: named('PTUpdateCustom_config'),
    said: 'D3 §7 Account',
    chosen: 'What is saved is published at once, as the documents know no draft',
    envelope: 'values',
    does: {
      steps: [
        { operation: 'shopPages.settings', as: 'page' },
        {
          operation: 'shopPages.publish',
          takes: {
            revision: had('page.revision'),
            content: {
              all: {
                notices: had('page.content.notices'),
                blocks: {
                  each: ['custom_config'],
                  of: {
                    type: of('type'),
                    enabled: of('is_enable', flag, always(false)),
                    text: of('data', text, always('')),
                    pictureId: of('img', picture, always(null)),
                    skips: of('isSkip', flag, always(false)),
                    link: of('link', text, always('')),
                  },
                },
              },
            },
          },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTUploadLogoFilesAjax',
    methods: ['POST'],
    path: named('PTUploadLogoFilesAjax'),
    said: 'D3 §7 Account',
    chosen: 'The field of the form is img, as its neighbour’s; the logo is then that of the company',
    envelope: 'values',
    does: {
      upload: { field: 'img', purpose: always('logo') },
      steps: [
        { operation: 'agentProfile.find', as: 'profile' },
        {
          operation: 'agentProfile.change',
          takes: {
            contactName: had('profile.contactName'),
            telephone: had('profile.telephone'),
            districtCode: had('profile.districtCode'),
            address: had('profile.address'),
            hotline: had('profile.hotline'),
            qq: had('profile.qq'),
            wechat: had('profile.wechat'),
            domainLabel: had('profile.domainLabel', undefined, blank),
            logoId: had('uploaded.id'),
          },
        },
      ],
      tells: told('uploaded.id', picture),
    },
  },
  {
    name: 'PTUploadCustomFilesAjax',
    methods: ['POST'],
    path: named('PTUploadCustomFilesAjax'),
    said: 'D3 §7 Account, Demand tracker',
    chosen: 'For descriptions of demands; with uploadFileType custom for the home page',
    envelope: 'values',
    does: {
      upload: {
        field: 'img',
        purpose: of(
          'uploadFileType',
          payload(
            'custom: home page; else a demand',
            sent => (sent === 'custom' ? 'shopPagePicture' : 'demand-picture'),
            answered => answered,
          ),
          always('demand-picture'),
        ),
      },
      steps: [],
      tells: told('id', picture),
    },
  },
  {
    name: 'CommonImg',
    also: ['uploadPictures'],
    methods: ['POST'],
    path: '/api/UploadImg/CommonImg',
    said: 'D1 §7 Image upload, D2 §7, D3 §7',
    chosen:
      'On this host; envelope (a) with the path as values, as D2 and D3 have it; Product: label background, applet and payment: papers of a shop',
    envelope: 'values',
    does: {
      upload: {
        field: 'file',
        purpose: of(
          'uploadFileType',
          payload(
            'Product, applet, payment',
            sent => UPLOADS[String(sent)] ?? sent,
            answered => answered,
          ),
          always('label-background'),
        ),
      },
      steps: [],
      tells: told('id', picture),
    },
  },
]
