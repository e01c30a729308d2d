import type { Article } from '../../../lib/http/response/article-page.ts'
import type { Language } from '../../../lib/language.ts'

type Instance = {
  name: string
  /** Name and address of the operator, in lines. Empty if not set. */
  contact: string
}

const articles: Record<Language, (instance: Instance) => Article> = {
  en: ({ name, contact }) => ({
    title: `Privacy at ${name}`,
    sections: [
      {
        paragraphs: [
          `${name} publishes posts on social networks for the people who connect their accounts. This page says which data it takes from the networks, why, and how you have it deleted.`,
        ],
      },
      {
        heading: 'Data from networks',
        paragraphs: [
          `When you connect an account, ${name} stores your sign-in at the network, encrypted, and the id, name, handle, address and picture of the account. It uses them to publish the posts of your workspace and to show which account is connected.`,
          `${name} stores the numbers that the network reports of the account and of posts published with ${name}, such as views, likes and followers. It shows them to the members of your workspace.`,
          'It does not read your messages, sells no data, and gives data to nobody but the networks that you publish on.',
        ],
      },
      {
        heading: 'How long data is kept',
        paragraphs: [
          'The sign-in and the image are deleted when the account is disconnected. Where the network allows it, the sign-in is revoked there too. Posts stay in the workspace until a member deletes them. A deleted workspace is erased with everything in it.',
        ],
      },
      {
        heading: 'How to have data deleted',
        paragraphs: [
          `Disconnect the account in ${name} under Accounts, or remove ${name} in the settings of the network, under apps and websites. Networks of Meta also offer to have your data deleted there. ${name} then deletes your sign-in, and the names, pictures and numbers of the accounts that you connected, and the network shows you a page that confirms it.`,
          `Under Profile, you download everything that ${name} stores of you, and delete your user account.`,
        ],
      },
      ...(contact ? [{ heading: 'Contact', paragraphs: [contact] }] : []),
    ],
  }),
  tr: ({ name, contact }) => ({
    title: `${name} gizlilik bilgisi`,
    sections: [
      {
        paragraphs: [
          `${name}, hesaplarını bağlayan kişiler için sosyal ağlarda gönderi yayımlar. Bu sayfa ağlardan hangi verilerin neden alındığını ve nasıl sildirileceğini anlatır.`,
        ],
      },
      {
        heading: 'Ağlardan alınan veriler',
        paragraphs: [
          `Bir hesap bağladığınızda ${name}, ağdaki oturumunuzu şifreli olarak, hesabın kimliğini, adını, kullanıcı adını, adresini ve resmini saklar. Bunları çalışma alanınızın gönderilerini yayımlamak ve hangi hesabın bağlı olduğunu göstermek için kullanır.`,
          `${name}, ağın hesap ve ${name} ile yayımlanan gönderiler için bildirdiği görüntülenme, beğeni ve takipçi gibi sayıları saklar. Bunları çalışma alanınızın üyelerine gösterir.`,
          'Mesajlarınızı okumaz, veri satmaz ve yayın yaptığınız ağlar dışında kimseye veri vermez.',
        ],
      },
      {
        heading: 'Verilerin saklanma süresi',
        paragraphs: [
          'Hesabın bağlantısı kesildiğinde oturum ve resim silinir. Ağ izin veriyorsa oturum orada da geçersiz kılınır. Gönderiler, bir üye silene dek çalışma alanında kalır. Silinen çalışma alanı, içindeki her şeyle birlikte yok edilir.',
        ],
      },
      {
        heading: 'Verilerinizi sildirme',
        paragraphs: [
          `${name} içinde Hesaplar altında bağlantıyı kesin ya da ağın ayarlarında, uygulamalar ve internet siteleri altında ${name} uygulamasını kaldırın. Meta ağları verilerinizi oradan da sildirmenizi sağlar. ${name} bu durumda oturumunuzu ve bağladığınız hesapların adlarını, resimlerini ve sayılarını siler; ağ size bunu onaylayan bir sayfa gösterir.`,
          `Profil altında ${name} içinde sizinle ilgili saklanan her şeyi indirebilir ve kullanıcı hesabınızı silebilirsiniz.`,
        ],
      },
      ...(contact ? [{ heading: 'İletişim', paragraphs: [contact] }] : []),
    ],
  }),
}

/** The page about data from networks, whose address networks ask for before they publish an app. */
export const privacyArticle = (instance: Instance, language: Language) => articles[language](instance)
