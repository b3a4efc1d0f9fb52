//! Number words by language.

/// Meaning of a word when a number is read out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberWord {
    /// This many digits.
    Digits(usize),
    Zero,
    /// Twenty to ninety: two digits, including a unit that may follow.
    Tens,
    /// Repeats the next digit this many times.
    Repeat(usize),
    /// `plus`, before a telephone number.
    Plus,
    /// A filler between digits.
    Filler,
}

/// Number words of a language. Each list is in lower case and separated by spaces.
struct Lexicon {
    language: &'static str,
    zeros: &'static str,
    units: &'static str,
    /// Two-digit numbers that no unit follows.
    pairs: &'static str,
    tens: &'static str,
    /// Conjunctions between unit and tens in one word, as in `einundzwanzig`.
    conjunctions: &'static [&'static str],
    doubles: &'static str,
    triples: &'static str,
    fillers: &'static str,
}

/// Fillers in all of these languages, and notations of recognizers.
const COMMON_FILLERS: &str = "ok okay mm mhm hm hmm uh um ah eh er äh ähm öhm euh hum ehm plus-minus dash minus";

const LEXICONS: [Lexicon; 9] = [
    Lexicon {
        language: "en",
        zeros: "zero oh o nought naught nil",
        units: "one two three four five six seven eight nine",
        pairs: "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        tens: "twenty thirty forty fourty fifty sixty seventy eighty ninety",
        conjunctions: &[],
        doubles: "double",
        triples: "triple treble",
        fillers: "and then yes yeah yep right so next is it's the that's now hundred thousand space hyphen comma well \
            sorry let me see again followed by",
    },
    Lexicon {
        language: "de",
        zeros: "null",
        units: "eins ein eine zwei zwo drei vier fünf sechs sieben acht neun",
        pairs: "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
        tens: "zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
        conjunctions: &["und"],
        doubles: "doppel doppelt zweimal",
        triples: "dreifach dreimal",
        fillers: "und dann ja genau so jetzt also noch noch-mal nochmal danach weiter hundert tausend strich leerzeichen \
            die der das ist moment",
    },
    Lexicon {
        language: "fr",
        zeros: "zéro",
        units: "un une deux trois quatre cinq six sept huit neuf",
        pairs: "dix onze douze treize quatorze quinze seize",
        tens: "vingt vingts trente quarante cinquante soixante septante huitante octante nonante",
        conjunctions: &[],
        doubles: "double",
        triples: "triple",
        fillers: "et puis ensuite oui alors donc après encore cent cents mille tiret espace voilà c'est le la",
    },
    Lexicon {
        language: "es",
        zeros: "cero",
        units: "uno una un dos tres cuatro cinco seis siete ocho nueve",
        pairs: "diez once doce trece catorce quince dieciséis dieciseis diecisiete dieciocho diecinueve veintiuno veintiún \
            veintidós veintidos veintitrés veintitres veinticuatro veinticinco veintiséis veintiseis veintisiete \
            veintiocho veintinueve",
        tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        conjunctions: &[],
        doubles: "doble",
        triples: "triple",
        fillers: "y luego después sí si entonces ahora pues cien ciento mil guion guión espacio es el la o",
    },
    Lexicon {
        language: "it",
        zeros: "zero",
        units: "uno una un due tre quattro cinque sei sette otto nove",
        pairs: "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
        tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        conjunctions: &[],
        doubles: "doppio",
        triples: "triplo",
        fillers: "e poi sì si allora adesso quindi dopo cento mille trattino spazio è il la o",
    },
    Lexicon {
        language: "pl",
        zeros: "zero",
        units: "jeden jedna jedno dwa dwie trzy cztery pięć sześć siedem osiem dziewięć",
        pairs: "dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście \
            dziewiętnaście",
        tens: "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt \
            dziewięćdziesiąt",
        conjunctions: &[],
        doubles: "podwójne podwójna",
        triples: "potrójne potrójna",
        fillers: "i a potem tak no dalej teraz później sto tysiąc myślnik spacja to jest",
    },
    Lexicon {
        language: "pt",
        zeros: "zero",
        units: "um uma dois duas três tres quatro cinco seis meia sete oito nove",
        pairs: "dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove",
        tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        conjunctions: &[],
        doubles: "duplo dobro",
        triples: "triplo",
        fillers: "e depois sim então agora cem cento mil hífen traço espaço é o a",
    },
    Lexicon {
        language: "nl",
        zeros: "nul",
        units: "een één twee drie vier vijf zes zeven acht negen",
        pairs: "tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
        tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        conjunctions: &["en", "ën"],
        doubles: "dubbel dubbele",
        triples: "driemaal",
        fillers: "en dan ja toen dus nu daarna honderd duizend streepje spatie is het de",
    },
    Lexicon {
        language: "ru",
        zeros: "ноль нуль",
        units: "один одна одно два две три четыре пять шесть семь восемь девять",
        pairs: "десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать \
            девятнадцать",
        tens: "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
        conjunctions: &[],
        doubles: "дважды",
        triples: "трижды",
        fillers: "и а потом да так дальше теперь затем сто тысяча тире дефис пробел это",
    },
];

/// Returns the meaning of a lower-case word; `None` if it isn't related to numbers. In a language without a lexicon, only
/// written digits are recognized.
pub(super) fn classify(word: &str, language: Option<&str>) -> Option<NumberWord> {
    let is_in = |list: &str| list.split_whitespace().any(|listed| listed == word);
    let primary = language.and_then(|language| language.split('-').next());
    if let Some(lexicon) = LEXICONS.iter().find(|lexicon| Some(lexicon.language) == primary) {
        let lists = [
            (lexicon.zeros, NumberWord::Zero),
            (lexicon.units, NumberWord::Digits(1)),
            (lexicon.pairs, NumberWord::Digits(2)),
            (lexicon.tens, NumberWord::Tens),
            (lexicon.doubles, NumberWord::Repeat(2)),
            (lexicon.triples, NumberWord::Repeat(3)),
            (lexicon.fillers, NumberWord::Filler),
        ];
        if let Some((_, meaning)) = lists.into_iter().find(|(list, _)| is_in(list)) {
            return Some(meaning);
        }
        if lexicon.is_compound(word) {
            return Some(NumberWord::Digits(2));
        }
    }
    match word {
        "plus" | "più" | "mais" | "más" | "плюс" => Some(NumberWord::Plus),
        _ => is_in(COMMON_FILLERS).then_some(NumberWord::Filler),
    }
}

impl Lexicon {
    /// Returns whether a word combines unit and tens: `einundzwanzig`, `quarantadue`.
    fn is_compound(&self, word: &str) -> bool {
        let units = || self.units.split_whitespace();
        let tens = || self.tens.split_whitespace();
        if self.language == "it" {
            // Italian drops a vowel (trentuno, ventotto) and accents tre (ventitré).
            let is_unit = |rest: &str| units().any(|unit| unit == rest) || rest == "tré";
            return tens().any(|tens| {
                let stem = &tens[..tens.len() - 1];
                word.strip_prefix(tens).is_some_and(is_unit) || word.strip_prefix(stem).is_some_and(is_unit)
            });
        }
        tens().filter_map(|tens| word.strip_suffix(tens)).any(|rest| {
            self.conjunctions
                .iter()
                .filter_map(|conjunction| rest.strip_suffix(conjunction))
                .any(|rest| units().any(|unit| unit == rest))
        })
    }
}
