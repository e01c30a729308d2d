import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

/** Texts of the mails about connected accounts. */
export const accountTexts = {
  'account-disconnected': {
    en: {
      subject: '{{account}} on {{network}} is disconnected',
      preheader: 'Nothing is published there until you connect it again.',
      blocks: [
        'Hello {{user_name}},',
        '{{network}} no longer accepts the sign-in of the account {{account}} in the workspace {{workspace_name}}. Nothing is published there until somebody connects it again.',
        {
          rows: [
            ['Reason', '{{reason}}'],
            ['Scheduled posts that wait', '{{scheduled_posts}}'],
          ],
        },
        { button: 'Connect it again', url: '{{accounts_url}}' },
      ],
    },
    tr: {
      subject: '{{network}} ağındaki {{account}} hesabının bağlantısı kesildi',
      preheader: 'Yeniden bağlanana kadar orada bir şey yayımlanmaz.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{network}}, {{workspace_name}} çalışma alanındaki {{account}} hesabının girişini artık kabul etmiyor. Biri onu yeniden bağlayana kadar orada bir şey yayımlanmaz.',
        {
          rows: [
            ['Neden', '{{reason}}'],
            ['Bekleyen planlanmış gönderiler', '{{scheduled_posts}}'],
          ],
        },
        { button: 'Yeniden bağla', url: '{{accounts_url}}' },
      ],
    },
  },
  'account-ending': {
    en: {
      subject: 'Sign in at {{network}} again for {{account}}',
      preheader: 'The present sign-in ends on {{ends_at}}.',
      blocks: [
        'Hello {{user_name}},',
        'The sign-in of the account {{account}} in the workspace {{workspace_name}} ends on {{ends_at}}. {{network}} does not let Meydan renew it. Posts after that time fail unless somebody signs in again before.',
        { button: 'Sign in again', url: '{{accounts_url}}' },
      ],
    },
    tr: {
      subject: '{{account}} için {{network}} girişini yenileyin',
      preheader: 'Şimdiki giriş {{ends_at}} tarihinde sona eriyor.',
      blocks: [
        'Merhaba {{user_name}},',
        "{{workspace_name}} çalışma alanındaki {{account}} hesabının girişi {{ends_at}} tarihinde sona eriyor. {{network}}, Meydan'ın onu yenilemesine izin vermiyor. Biri daha önce yeniden giriş yapmazsa o tarihten sonraki gönderiler başarısız olur.",
        { button: 'Yeniden giriş yap', url: '{{accounts_url}}' },
      ],
    },
  },
  'network-version-ending': {
    en: {
      subject: '{{network}} serves version {{version}} of its API until {{served_until}}',
      preheader: 'After that day nothing is published there.',
      blocks: [
        'Hello {{user_name}},',
        '{{network}} ends version {{version}} of its API, which this installation of Meydan calls, on {{served_until}}. After that day it refuses all posts.',
        'Update Meydan before: newer releases call newer versions. If you cannot, set a version that the network serves, such as NETWORK_VERSIONS={{setting}}=VERSION, restart Meydan, and publish a post as a trial.',
        { button: 'Open the status', url: '{{status_url}}' },
      ],
    },
    tr: {
      subject: '{{network}}, API sürümü {{version}} için son gün: {{served_until}}',
      preheader: 'Bu günden sonra orada hiçbir şey yayımlanmaz.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{network}}, bu Meydan kurulumunun kullandığı {{version}} API sürümünü {{served_until}} tarihinde sonlandırıyor. O günden sonra bütün gönderileri reddeder.',
        "Öncesinde Meydan'ı güncelleyin: yeni sürümler yeni API sürümlerini kullanır. Güncelleyemiyorsanız ağın sunduğu bir sürümü ayarlayın, örneğin NETWORK_VERSIONS={{setting}}=SÜRÜM; Meydan'ı yeniden başlatın ve deneme gönderisi yayımlayın.",
        { button: 'Durum sayfasını aç', url: '{{status_url}}' },
      ],
    },
  },
  'posts-unapproved': {
    en: {
      subject: 'Posts in {{workspace_name}} were not approved in time',
      preheader: 'They are not published before they are approved.',
      blocks: [
        'Hello {{user_name}},',
        'The time of posts in the workspace {{workspace_name}} came before they were approved, so they were not published. Approved soon, they go out at once; later, choose another time.',
        {
          rows: [
            ['Number of posts', '{{count}}'],
            ['Posts', '{{posts}}'],
          ],
        },
        { button: 'See the posts', url: '{{page_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanında gönderiler zamanında onaylanmadı',
      preheader: 'Onaylanmadan yayımlanmazlar.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanındaki gönderilerin zamanı onaylanmadan geldi; bu yüzden yayımlanmadılar. Yakında onaylanırlarsa hemen yayımlanırlar; daha sonra onaylarken başka bir zaman seçin.',
        {
          rows: [
            ['Gönderi sayısı', '{{count}}'],
            ['Gönderiler', '{{posts}}'],
          ],
        },
        { button: 'Gönderileri gör', url: '{{page_url}}' },
      ],
    },
  },
  'posts-held': {
    en: {
      subject: 'Posts in {{workspace_name}} were late and are held',
      preheader: 'Publish them, choose another time, or make them drafts.',
      blocks: [
        'Hello {{user_name}},',
        'Meydan did not run when posts of the workspace {{workspace_name}} were due. It is too late to publish them without asking you: publish them now, choose another time, or make them drafts.',
        {
          rows: [
            ['Number of posts', '{{count}}'],
            ['Posts', '{{posts}}'],
          ],
        },
        { button: 'Decide about the posts', url: '{{page_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanında geç kalan gönderiler bekletiliyor',
      preheader: 'Yayımlayın, başka bir zaman seçin ya da taslağa dönüştürün.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanındaki gönderilerin zamanı geldiğinde Meydan çalışmıyordu. Artık size sormadan yayımlamak için geç: şimdi yayımlayın, başka bir zaman seçin ya da taslağa dönüştürün.',
        {
          rows: [
            ['Gönderi sayısı', '{{count}}'],
            ['Gönderiler', '{{posts}}'],
          ],
        },
        { button: 'Gönderilere karar ver', url: '{{page_url}}' },
      ],
    },
  },
  'posts-waiting': {
    en: {
      subject: 'Scheduled posts in {{workspace_name}} wait for an account',
      preheader: 'They cannot be published on {{accounts}}.',
      blocks: [
        'Hello {{user_name}},',
        'Posts of the workspace {{workspace_name}} are due in the next 48 hours, and their accounts cannot publish them: they are disconnected or paused, or their sign-in ends before.',
        {
          rows: [
            ['Accounts', '{{accounts}}'],
            ['Number of posts', '{{count}}'],
            ['Posts', '{{posts}}'],
          ],
        },
        { button: 'See what to do', url: '{{health_url}}' },
      ],
    },
    tr: {
      subject: '{{workspace_name}} çalışma alanında planlanmış gönderiler bir hesabı bekliyor',
      preheader: 'Şu hesaplarda yayımlanamıyorlar: {{accounts}}.',
      blocks: [
        'Merhaba {{user_name}},',
        '{{workspace_name}} çalışma alanında önümüzdeki 48 saatte zamanı gelecek gönderiler var, ama hesapları onları yayımlayamıyor: bağlantıları kopmuş, duraklatılmışlar ya da girişleri daha önce sona eriyor.',
        {
          rows: [
            ['Hesaplar', '{{accounts}}'],
            ['Gönderi sayısı', '{{count}}'],
            ['Gönderiler', '{{posts}}'],
          ],
        },
        { button: 'Ne yapılacağını gör', url: '{{health_url}}' },
      ],
    },
  },
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
