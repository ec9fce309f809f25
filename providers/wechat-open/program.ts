// What one authorised mini program is asked, in WeChat's names and back. [D] paths and names of fields, `certicates` among them, which is the
// platform's own spelling. [K] written from memory and looked up nowhere: domains, getversioninfo, get_latest_auditstatus, the history of
// releases, getprivacysetting's answer, media/get; further signature lengths, the forms of times, and which fields may be absent.
import { z } from 'zod'
import type { AuditCategory, CodeAudit, MiniProgram, PrivacyVersion } from '#kit/ports/mini-programs.ts'
import { ProviderRefused, ProviderUnreadable } from '#kit/ports/providers.ts'
import type { Credentials } from './credentials.ts'
import { type Ask, isJpeg, isPng, readShape, type Transport } from './transport.ts'

const whole = z.number().int()
const said = z
  .string()
  .nullish()
  .transform(text => text ?? '')
const quota = { modify_used_count: whole.default(0), modify_quota: whole.default(0) }
const Basic = z.object({
  appid: z.string(),
  principal_type: whole,
  principal_name: said,
  realname_status: whole,
  wx_verify_info: z.object({ qualification_verify: z.boolean() }).nullish(),
  nickname: said,
  nickname_info: z.object({ nickname: said, ...quota }).nullish(),
  head_image_info: z.object({ head_image_url: said, ...quota }).nullish(),
  signature_info: z.object({ signature: said, ...quota }).nullish(),
})
const Media = z.object({ media_id: z.string().min(1) })
const NameCheck = z.object({ hit_condition: z.boolean().default(false), wording: said })
const NameSet = z.object({ audit_id: z.union([whole, z.string()]).nullish(), wording: said })
const NameState = z.object({ nickname: said, audit_stat: whole, fail_reason: said })
const Standings = z.object({
  categories: z.array(
    z.object({
      first: whole,
      second: whole,
      first_name: said,
      second_name: said,
      audit_status: whole,
      audit_reason: said,
    }),
  ),
  limit: whole,
  quota: whole,
  category_limit: whole,
})
const Offered = z.object({
  categories_list: z.object({
    categories: z.array(
      z.object({
        id: whole,
        name: z.string(),
        level: whole,
        father: whole.default(0),
        children: z.array(whole).default([]),
        sensitive_type: whole.default(0),
        qualify: z
          .object({
            exter_list: z
              .array(z.object({ inner_list: z.array(z.object({ name: said, url: said })).default([]) }))
              .default([]),
          })
          .nullish(),
      }),
    ),
  }),
})
const ForAudit = z.object({
  category_list: z.array(
    z.object({
      first_class: z.string(),
      first_id: whole,
      second_class: z.string(),
      second_id: whole,
      third_class: z.string().nullish(),
      third_id: whole.nullish(),
    }),
  ),
})
const domainList = z
  .array(z.string())
  .nullish()
  .transform(list => list ?? [])
const Domains = z.object({
  requestdomain: domainList,
  wsrequestdomain: domainList,
  uploaddomain: domainList,
  downloaddomain: domainList,
})
const Versions = z.object({
  exp_info: z.object({ exp_time: whole, exp_version: said, exp_desc: said }).nullish(),
  release_info: z.object({ release_time: whole, release_version: said, release_desc: said }).nullish(),
})
const names = z
  .array(z.string())
  .nullish()
  .transform(list => list ?? [])
const Checked = z.object({ without_auth_list: names, without_conf_list: names })
const Privacy = z.object({
  code_exist: whole.default(0),
  privacy_list: names,
  setting_list: z
    .array(z.object({ privacy_key: z.string(), privacy_text: said }))
    .nullish()
    .transform(list => list ?? []),
})
const Submitted = z.object({ auditid: whole })
const Audit = z.object({ status: whole, reason: said, screenshot: said, user_version: said })
const Latest = z.object({
  auditid: z.union([whole, z.string().regex(/^\d+$/)]).transform(Number),
  status: whole,
  reason: said,
  ScreenShot: said,
  user_version: said,
})
const Quota = z.object({ rest: whole, limit: whole, speedup_rest: whole, speedup_limit: whole })
const History = z.object({
  version_list: z.array(
    z.object({ app_version: whole, user_version: said, user_desc: said, commit_time: whole.nullish() }),
  ),
})
const Tester = z.object({ userstr: z.string().min(1) })
const Testers = z.object({ members: z.array(z.object({ userstr: z.string() })) })

const REAL_NAMES = { 1: 'confirmed', 2: 'pending', 3: 'failed' } as const
const REVIEWS = { 1: 'reviewing', 2: 'refused', 3: 'passed' } as const
const AUDITS = { 0: 'passed', 1: 'refused', 2: 'reviewing', 3: 'withdrawn', 4: 'delayed' } as const
const PRIVACY_VERSIONS: Record<PrivacyVersion, number> = { live: 1, trial: 2 }
const NO_PRIVACY_CHECK_YET = '61039'
const NO_AUDIT = '85012'

/** Throws ProviderUnreadable for a number that is none of them. */
function named<T>(names: Readonly<Record<number, T>>, number: number, path: string): T {
  const name = names[number]
  if (name === undefined) throw new ProviderUnreadable(`${path} answered the state ${number}`)
  return name
}
const instant = (seconds: number) => new Date(seconds * 1_000).toISOString()

export function makeProgram(appid: string, credentials: Credentials, transport: Transport): MiniProgram {
  const under = (ask: Ask, token: string): Ask => ({ ...ask, query: { ...ask.query, access_token: token } })
  const send = (ask: Ask) => credentials.using({ appid }, token => transport.ask(under(ask, token)))
  const fetchPicture = (ask: Ask) =>
    credentials.using({ appid }, token => transport.picture(under(ask, token)))
  const post = (path: string, body: object) => send({ path, body })
  async function read<T>(shape: z.ZodType<T>, path: string, body?: object, query = {}): Promise<T> {
    return readShape(shape, path, await send({ path, body, query }))
  }
  const papers = (list: readonly { name: string; mediaId: string }[]) =>
    list.map(({ name, mediaId }) => ({ key: name, value: mediaId }))

  return {
    async info() {
      const path = '/cgi-bin/account/getaccountbasicinfo'
      const one = await read(Basic, path)
      const counted = (info: { modify_used_count: number; modify_quota: number } | null | undefined) => ({
        used: info?.modify_used_count ?? 0,
        quota: info?.modify_quota ?? 0,
      })
      return {
        appid: one.appid,
        principalName: one.principal_name,
        isPersonal: one.principal_type === 0,
        realName: named(REAL_NAMES, one.realname_status, path),
        isVerified: one.wx_verify_info?.qualification_verify ?? false,
        nickName: { value: one.nickname_info?.nickname || one.nickname, ...counted(one.nickname_info) },
        headImage: { url: one.head_image_info?.head_image_url ?? '', ...counted(one.head_image_info) },
        signature: { value: one.signature_info?.signature ?? '', ...counted(one.signature_info) },
      }
    },
    async uploadPicture(bytes) {
      const type = isPng(bytes) ? 'png' : isJpeg(bytes) ? 'jpeg' : null
      if (!type) throw new ProviderRefused('40005', 'invalid file type')
      const path = '/cgi-bin/media/upload'
      const file = { bytes, name: `picture.${type}`, type: `image/${type}` }
      const answer = await send({ path, query: { type: 'image' }, file })
      return readShape(Media, path, answer).media_id
    },
    picture: mediaId => fetchPicture({ path: '/cgi-bin/media/get', query: { media_id: mediaId } }),

    async checkName(name) {
      const path = '/cgi-bin/wxverify/checkwxverifynickname'
      const answer = await read(NameCheck, path, { nick_name: name })
      return answer.hit_condition ? answer.wording || '名称命中关键字，需提交证明材料' : null
    },
    async setName({ name, licenceMediaId, idCardMediaId, naming = [] }) {
      const others = naming.map((mediaId, place) => [`naming_other_stuff_${place + 1}`, mediaId])
      const answer = await read(NameSet, '/wxa/setnickname', {
        nick_name: name,
        ...(licenceMediaId ? { license: licenceMediaId } : {}),
        ...(idCardMediaId ? { id_card: idCardMediaId } : {}),
        ...Object.fromEntries(others),
      })
      return answer.audit_id ? String(answer.audit_id) : null
    },
    async nameAudit(auditId) {
      const path = '/wxa/api_wxa_querynickname'
      const one = await read(NameState, path, { audit_id: Number(auditId) })
      const state = named(REVIEWS, one.audit_stat, path)
      return { state, name: one.nickname, reason: one.fail_reason || null }
    },
    async setHeadImage(mediaId) {
      await post('/cgi-bin/account/modifyheadimage', {
        head_img_media_id: mediaId,
        ...{ x1: '0', y1: '0', x2: '1', y2: '1' },
      })
    },
    async setSignature(signature) {
      await post('/cgi-bin/account/modifysignature', { signature })
    },

    async offeredCategories() {
      const answer = await read(Offered, '/cgi-bin/wxopen/getallcategories')
      return answer.categories_list.categories.map(one => ({
        ...{ id: one.id, name: one.name, level: one.level, parent: one.father, children: one.children },
        isSensitive: one.sensitive_type === 1,
        papers: (one.qualify?.exter_list ?? []).map(({ inner_list }) =>
          inner_list.map(({ name, url }) => ({ name, url: url || null })),
        ),
      }))
    },
    async categories() {
      const path = '/cgi-bin/wxopen/getcategory'
      const answer = await read(Standings, path)
      return {
        categories: answer.categories.map(one => ({
          ...{ first: one.first, second: one.second },
          ...{ firstName: one.first_name, secondName: one.second_name },
          state: named(REVIEWS, one.audit_status, path),
          reason: one.audit_reason || null,
        })),
        monthlyLimit: answer.limit,
        monthlyLeft: answer.quota,
        mostCategories: answer.category_limit,
      }
    },
    async addCategories(categories) {
      await post('/cgi-bin/wxopen/addcategory', {
        categories: categories.map(({ first, second, papers: list }) => ({
          ...{ first, second },
          certicates: papers(list),
        })),
      })
    },
    async modifyCategory({ first, second, papers: list }) {
      await post('/cgi-bin/wxopen/modifycategory', { first, second, certicates: papers(list) })
    },
    async deleteCategory({ first, second }) {
      await post('/cgi-bin/wxopen/deletecategory', { first, second })
    },
    async auditCategories() {
      const answer = await read(ForAudit, '/wxa/get_category')
      return answer.category_list.map(one => ({
        ...{ firstId: one.first_id, firstName: one.first_class },
        ...{ secondId: one.second_id, secondName: one.second_class },
        ...{ thirdId: one.third_id || null, thirdName: one.third_class || null },
      }))
    },

    async domains() {
      const answer = await read(Domains, '/wxa/modify_domain', { action: 'get' })
      return {
        ...{ request: answer.requestdomain, socket: answer.wsrequestdomain },
        ...{ upload: answer.uploaddomain, download: answer.downloaddomain },
      }
    },
    async setDomains({ request, socket, upload, download }) {
      await post('/wxa/modify_domain', {
        action: 'set',
        ...{ requestdomain: request, wsrequestdomain: socket },
        ...{ uploaddomain: upload, downloaddomain: download },
      })
    },
    async setPageDomains(domains) {
      await post('/wxa/setwebviewdomain', { action: 'set', webviewdomain: domains })
    },

    async commit({ templateId, settings, version, description }) {
      await post('/wxa/commit', {
        template_id: templateId,
        ext_json: JSON.stringify(settings),
        user_version: version,
        user_desc: description,
      })
    },
    trialCode: page => fetchPicture({ path: '/wxa/get_qrcode', query: page ? { path: page } : {} }),
    async versions() {
      const { exp_info: trial, release_info: live } = await read(Versions, '/wxa/getversioninfo', {})
      return {
        trial: trial
          ? { version: trial.exp_version, description: trial.exp_desc, at: instant(trial.exp_time) }
          : null,
        live: live
          ? { version: live.release_version, description: live.release_desc, at: instant(live.release_time) }
          : null,
      }
    },

    async privacyCheck() {
      try {
        const answer = await read(Checked, '/wxa/security/get_code_privacy_info')
        return {
          state: 'done',
          withoutLeave: answer.without_auth_list,
          withoutDeclaration: answer.without_conf_list,
        }
      } catch (error) {
        if (error instanceof ProviderRefused && error.code === NO_PRIVACY_CHECK_YET)
          return { state: 'checking' }
        throw error
      }
    },
    async privacy(version) {
      const answer = await read(Privacy, '/cgi-bin/component/getprivacysetting', {
        privacy_ver: PRIVACY_VERSIONS[version],
      })
      return {
        hasCode: answer.code_exist === 1,
        used: answer.privacy_list,
        uses: answer.setting_list.map(({ privacy_key, privacy_text }) => ({
          key: privacy_key,
          purpose: privacy_text,
        })),
      }
    },
    async declarePrivacy(version, { contact, notice, keptFor, uses }) {
      await post('/cgi-bin/component/setprivacysetting', {
        privacy_ver: PRIVACY_VERSIONS[version],
        owner_setting: {
          ...(contact.email ? { contact_email: contact.email } : {}),
          ...(contact.phone ? { contact_phone: contact.phone } : {}),
          ...(contact.qq ? { contact_qq: contact.qq } : {}),
          ...(contact.wechat ? { contact_weixin: contact.wechat } : {}),
          notice_method: notice,
          ...(keptFor === null ? {} : { store_expire_timestamp: keptFor }),
        },
        setting_list: uses.map(({ key, purpose }) => ({ privacy_key: key, privacy_text: purpose })),
      })
    },

    async submitAudit(order) {
      const { auditid } = await read(Submitted, '/wxa/submit_audit', {
        item_list: order.items.map(({ page, title, tags, category }) => ({
          ...{ address: page, title, tag: tags },
          ...auditCategory(category),
        })),
        version_desc: order.description,
        feedback_info: order.feedback,
        ...(order.feedbackPictures.length > 0 ? { feedback_stuff: order.feedbackPictures.join('|') } : {}),
        privacy_api_not_use: order.usesNoPrivacy,
        ...(order.orderPath ? { order_path: order.orderPath } : {}),
      })
      return auditid
    },
    async audit(auditId) {
      const path = '/wxa/get_auditstatus'
      const one = await read(Audit, path, { auditid: auditId })
      return auditOf(auditId, { ...one, ScreenShot: one.screenshot }, path)
    },
    async latestAudit() {
      const path = '/wxa/get_latest_auditstatus'
      try {
        const one = await read(Latest, path)
        return auditOf(one.auditid, one, path)
      } catch (error) {
        if (error instanceof ProviderRefused && error.code === NO_AUDIT) return null
        throw error
      }
    },
    async undoAudit() {
      await send({ path: '/wxa/undocodeaudit' })
    },
    async speedUp(auditId) {
      await post('/wxa/speedupaudit', { auditid: auditId })
    },
    async auditQuota() {
      const one = await read(Quota, '/wxa/queryquota')
      return {
        ...{ left: one.rest, limit: one.limit },
        ...{ speedUpsLeft: one.speedup_rest, speedUpLimit: one.speedup_limit },
      }
    },
    async release() {
      // An empty object: an empty body is refused.
      await post('/wxa/release', {})
    },
    async releases() {
      const query = { action: 'get_history_version' }
      const answer = await read(History, '/wxa/revertcoderelease', undefined, query)
      return answer.version_list.map(one => ({
        ...{ appVersion: one.app_version, version: one.user_version, description: one.user_desc },
        committedAt: one.commit_time ? instant(one.commit_time) : null,
      }))
    },
    async rollBack(appVersion) {
      const query: Record<string, string> =
        appVersion === undefined ? {} : { app_version: String(appVersion) }
      await send({ path: '/wxa/revertcoderelease', query })
    },
    code: (page, width) => fetchPicture({ path: '/wxa/getwxacode', body: { path: page, width } }),

    async addTester(wechat) {
      return (await read(Tester, '/wxa/bind_tester', { wechatid: wechat })).userstr
    },
    async removeTester(userString) {
      await post('/wxa/unbind_tester', { userstr: userString })
    },
    async testers() {
      const answer = await read(Testers, '/wxa/memberauth', { action: 'get_experiencer' })
      return answer.members.map(({ userstr }) => userstr)
    },
  }
}

function auditCategory(category: AuditCategory) {
  const { firstId, firstName, secondId, secondName, thirdId, thirdName } = category
  return {
    ...{ first_class: firstName, first_id: firstId, second_class: secondName, second_id: secondId },
    ...(thirdId === null ? {} : { third_class: thirdName ?? '', third_id: thirdId }),
  }
}

type Told = { status: number; reason: string; ScreenShot: string; user_version: string }

function auditOf(auditId: number, one: Told, path: string): CodeAudit {
  return {
    auditId,
    state: named(AUDITS, one.status, path),
    reason: one.reason || null,
    screenshots: one.ScreenShot.split('|').filter(Boolean),
    version: one.user_version || null,
  }
}
