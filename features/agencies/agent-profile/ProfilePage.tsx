import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import type { ledger } from '#features/money/ledger/contract.ts'
import { useHistory } from '#features/office/access/slots.tsx'
import { AGENT_PROFILE_FIELDS as FIELDS } from '#features/office/agents/fields.ts'
import { useRegionName } from '#features/office/regions/useDivisions.tsx'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Copyable, Count, discountText, Instant, Money } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { AgentLogo } from '#web/shell/AgentBrand.tsx'
import type { agentProfile, Profile } from './contract.ts'
import styles from './profile.module.css'
import { OPERATORS_OWN } from './rules.ts'

const profileApi = api<typeof agentProfile>('agentProfile')
const ledgerApi = api<typeof ledger>('ledger')
const ProfileDialog = lazy(() => import('./ProfileDialog.tsx'))
const PhoneDialog = lazy(() => import('./PhoneDialog.tsx'))

/** What D3 calls agent info: of the agency, and of one's own account. */
export default function ProfilePage() {
  const profile = useQuery(profileApi.find.query())
  const [open, setOpen] = useState<'company' | 'phone' | null>(null)
  const history = useHistory()
  const { data } = profile
  return (
    <div className={`${look.page} ${styles.profile}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>个人资料</h1>
        {data && (
          <>
            {history
              .actionsOf({ kind: 'agent', id: data.agentId, name: data.companyName })
              .map(({ key, label, onClick }) => (
                <Button key={key} onClick={onClick}>
                  {label}
                </Button>
              ))}
            <Permit permission="agentProfile.edit">
              <Button kind="primary" onClick={() => setOpen('company')}>
                修改公司资料
              </Button>
            </Permit>
          </>
        )}
      </header>
      {data ? (
        <>
          <Company profile={data} />
          <Permit permission="ledger.wallet">
            <Balances />
          </Permit>
          <Own profile={data} onPhone={() => setOpen('phone')} />
        </>
      ) : (
        profile.isError && <LoadFailure error={profile.error} onRetry={() => void profile.refetch()} />
      )}
      {history.drawer}
      {data && open && (
        <Suspense>
          {open === 'company' ? (
            <ProfileDialog profile={data} onClose={() => setOpen(null)} />
          ) : (
            <PhoneDialog ownPhone={data.ownPhone} onClose={() => setOpen(null)} />
          )}
        </Suspense>
      )}
    </div>
  )
}

function Company({ profile }: { profile: Profile }) {
  const { districtCode } = profile
  const region = useRegionName(districtCode)
  const { domainLabel, domainSuffix } = profile
  const domain = domainLabel && domainSuffix ? `${domainLabel}.${domainSuffix}` : null
  return (
    <section aria-labelledby="company-title">
      <h2 id="company-title" className={look.sectionTitle}>
        公司
      </h2>
      <div className={styles.logo}>
        {profile.logoId === null ? (
          <span className={styles.none}>未上传标志</span>
        ) : (
          <AgentLogo logoId={profile.logoId} />
        )}
        <p className={look.quiet}>
          标志和公司名称显示在菜单、本公司域名下的登录页、对账单，以及客户打开的页面上
        </p>
      </div>
      <dl className={styles.facts}>
        <Fact label="公司名称" locked={OPERATORS_OWN.companyName}>
          {profile.companyName}
        </Fact>
        <Fact label="代理商编号" locked={OPERATORS_OWN.agentId}>
          <Copyable text={String(profile.agentId)} />
        </Fact>
        <Fact label="代理等级" locked={OPERATORS_OWN.level}>
          {profile.levelName}（{discountText(profile.discountBasisPoints)}）
        </Fact>
        {profile.parentName !== null && (
          <Fact label="上级代理商" locked={OPERATORS_OWN.parent}>
            {profile.parentName}
          </Fact>
        )}
        <Fact label="商户账号格式" locked={OPERATORS_OWN.accountFormat}>
          {ACCOUNT_FORMAT_TEXTS[profile.accountFormat]}
        </Fact>
        <Fact label="加入时间">
          <Instant at={profile.createdAt} />
        </Fact>
        <Fact label={FIELDS.contactName.label}>{profile.contactName}</Fact>
        <Fact label="公司手机">{profile.mobile}</Fact>
        <Fact label={FIELDS.telephone.label}>{profile.telephone}</Fact>
        <Fact label={FIELDS.districtCode.label}>{region}</Fact>
        <Fact label={FIELDS.address.label}>{profile.address}</Fact>
        <Fact label={FIELDS.domainLabel.label}>
          {domain === null ? domainSuffix === null ? '尚未开通' : null : <Copyable text={domain} />}
        </Fact>
        <Fact label={FIELDS.hotline.label}>{profile.hotline}</Fact>
        <Fact label={FIELDS.qq.label}>{profile.qq}</Fact>
        <Fact label={FIELDS.wechat.label}>{profile.wechat}</Fact>
      </dl>
    </section>
  )
}

const ACCOUNT_FORMAT_TEXTS: Record<Profile['accountFormat'], string> = {
  standard: '手机号',
  long: '手机号，或较长的数字账号',
  any: '手机号，或 4 至 11 位数字',
}

function Balances() {
  const wallet = useQuery(ledgerApi.wallet.query())
  return (
    <section aria-labelledby="balances-title">
      <h2 id="balances-title" className={look.sectionTitle}>
        余额
      </h2>
      {wallet.data ? (
        <dl className={styles.facts}>
          <Fact label="代币余额（代币）">
            <Money cents={wallet.data.tokenCents} />
          </Fact>
          <Fact label="短信余额（条）">
            <span className={styles.beside}>
              <Count value={wallet.data.sms} />
              <Permit permission="payments.sms">
                <Link to={TOP_UP_PATH} className={buttonLook()}>
                  短信充值
                </Link>
              </Permit>
            </span>
          </Fact>
        </dl>
      ) : (
        wallet.isError && <LoadFailure error={wallet.error} onRetry={() => void wallet.refetch()} />
      )}
    </section>
  )
}

const TOP_UP_PATH = '/admin/account/msgRecharge'

function Own({ profile, onPhone }: { profile: Profile; onPhone: () => void }) {
  const session = useSession()
  const isOwner = session.userType === 0
  return (
    <section aria-labelledby="own-title">
      <h2 id="own-title" className={look.sectionTitle}>
        我的账号
      </h2>
      <dl className={styles.facts}>
        <Fact label="姓名" locked={isOwner ? OPERATORS_OWN.name : OWNERS_OWN}>
          {session.name}
        </Fact>
        <Fact label="账号" locked={isOwner ? OPERATORS_OWN.loginName : OWNERS_OWN}>
          {session.loginName}
        </Fact>
        <Fact label="账号类型">{isOwner ? '主账号' : '子账号'}</Fact>
        <Fact label="手机">
          <span className={styles.beside}>
            {profile.ownPhone || '—'}
            <Permit permission="agentProfile.changePhone">
              <Button changes onClick={onPhone}>
                更换手机号
              </Button>
            </Permit>
          </span>
        </Fact>
      </dl>
    </section>
  )
}

const OWNERS_OWN = '由本公司负责人在员工管理中修改'

type FactProps = { label: string /** Why it cannot be changed here. */; locked?: string; children: ReactNode }

function Fact({ label, locked, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children || <span className={look.quiet}>—</span>}
        {locked && <small className={styles.locked}>{locked}</small>}
      </dd>
    </div>
  )
}
