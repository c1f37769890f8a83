"""German words of the sample: nouns, verbs, and what does what to what, scene by scene."""

from __future__ import annotations

from dataclasses import dataclass

# Nouns: lemma, gender, plural (- for none), genitive singular, and the adjectives that suit them.
# A genitive of "w" marks the weak masculines, whose other cases all look like the plural.
NOUNS = """
Kartoffel f Kartoffeln Kartoffel klein groß; Apfel m Äpfel Apfels rot grün reif
Birne f Birnen Birne reif gelb
Kirsche f Kirschen Kirsche reif süß; Zwiebel f Zwiebeln Zwiebel klein; Kuchen m Kuchen Kuchens klein
Brot n Brote Brotes frisch warm; Teller m Teller Tellers weiß alt; Tasse f Tassen Tasse blau klein
Glas n Gläser Glases klein; Topf m Töpfe Topfes schwer groß; Suppe f Suppen Suppe heiß
Soße f Soßen Soße scharf; Tisch m Tische Tisches rund alt; Reis m - Reises
Kaffee m - Kaffees stark schwarz
Tee m - Tees heiß grün; Milch f - Milch kalt frisch; Saft m - Saftes kalt süß
Fenster n Fenster Fensters groß
Flasche f Flaschen Flasche grün klein; Baum m Bäume Baumes jung; Rose f Rosen Rose rot weiß
Tomate f Tomaten Tomate rot reif; Blume f Blumen Blume gelb frisch; Zaun m Zäune Zaunes alt niedrig
Bank f Bänke Bank grün alt; Tür f Türen Tür schwer blau; Rasen m - Rasens; Loch n Löcher Loches tief
Huhn n Hühner Huhnes braun; Katze f Katzen Katze grau alt; Hund m Hunde Hundes groß freundlich
Kaninchen n Kaninchen Kaninchens weiß; Buch n Bücher Buches dick alt neu
Geschichte f Geschichten Geschichte lang
Gedicht n Gedichte Gedichtes kurz; Regel f Regeln Regel einfach neu
Aufgabe f Aufgaben Aufgabe schwierig
Brief m Briefe Briefes lang kurz; Satz m Sätze Satzes lang; Karte f Karten Karte alt groß
Bild n Bilder Bildes klein bunt; Pferd n Pferde Pferdes weiß jung; Lied n Lieder Liedes alt kurz
Bleistift m Bleistifte Bleistifts rot neu; Fehler m Fehler Fehlers klein
Frage f Fragen Frage schwierig
Käse m - Käses weich; Lampe f Lampen Lampe alt klein; Korb m Körbe Korbes schwer groß
Ei n Eier Eies braun frisch
Honig m - Honigs; Kiste f Kisten Kiste schwer; Tasche f Taschen Tasche schwer grün
Münze f Münzen Münze alt klein
Fisch m Fische Fisches klein groß; Zug m Züge Zuges; Bus m Busse Busses
Koffer m Koffer Koffers schwer braun
Fahrkarte f Fahrkarten Fahrkarte; Zeitung f Zeitungen Zeitung alt
Schlüssel m Schlüssel Schlüssels klein
Schirm m Schirme Schirmes schwarz; Handschuh m Handschuhe Handschuhs warm
Fahrrad n Fahrräder Fahrrads alt neu
Uhr f Uhren Uhr alt; Stuhl m Stühle Stuhles kaputt alt; Radio n Radios Radios alt
Dach n Dächer Daches rot
Boot n Boote Bootes klein; Regal n Regale Regals schmal; Hammer m Hämmer Hammers schwer
Leiter f Leitern Leiter lang
Messer n Messer Messers alt; Pinsel m Pinsel Pinsels weich; Stein m Steine Steines flach
Ball m Bälle Balles rot
Ente f Enten Ente klein; Schwan m Schwäne Schwanes weiß; Vogel m Vögel Vogels klein
Brücke f Brücken Brücke schmal alt
Roman m Romane Romans lang; Decke f Decken Decke warm; Hemd n Hemden Hemdes weiß
Kerze f Kerzen Kerze weiß
Küche f Küchen Küche klein; Garten m Gärten Gartens klein; Schule f Schulen Schule
Markt m Märkte Marktes
Bahnhof m Bahnhöfe Bahnhofs; See m Seen Sees; Park m Parks Parks
Bibliothek f Bibliotheken Bibliothek
Werkstatt f Werkstätten Werkstatt; Haus n Häuser Hauses; Flur m Flure Flurs; Straße f Straßen Straße
Dorf n Dörfer Dorfes; Bahnsteig m Bahnsteige Bahnsteigs; Schuppen m Schuppen Schuppens
Ecke f Ecken Ecke
Stand m Stände Standes; Wand f Wände Wand; Fluss m Flüsse Flusses; Ufer n Ufer Ufers
Herd m Herde Herdes
Schreibtisch m Schreibtische Schreibtischs; Hof m Höfe Hofes
Klassenzimmer n Klassenzimmer Klassenzimmers
Klasse f Klassen Klasse; Gast m Gäste Gastes; Sofa n Sofas Sofas; Wasser n - Wassers
Wetter n - Wetters
Morgen m Morgen Morgens; Abend m Abende Abends; Woche f Wochen Woche; Sommer m Sommer Sommers
Land n Länder Landes
Montag m Montage Montags; Freitag m Freitage Freitags; Samstag m Samstage Samstags
Sonntag m Sonntage Sonntags
Regen m - Regens; Sonne f Sonnen Sonne; Unterricht m - Unterrichts; Glocke f Glocken Glocke
Hause n - Hauses
Klavier n Klaviere Klaviers; Flöte f Flöten Flöte; Paket n Pakete Pakets klein schwer
Preis m Preise Preises
Kind n Kinder Kindes; Wurst f Würste Wurst; Boden m Böden Bodens; Hecke f Hecken Hecke
Essen n Essen Essens
Bäcker m Bäcker Bäckers; Bäckerin f Bäckerinnen Bäckerin; Lehrer m Lehrer Lehrers
Lehrerin f Lehrerinnen Lehrerin
Nachbar m Nachbarn w; Nachbarin f Nachbarinnen Nachbarin; Bauer m Bauern w
Bäuerin f Bäuerinnen Bäuerin
Gärtner m Gärtner Gärtners; Gärtnerin f Gärtnerinnen Gärtnerin; Arzt m Ärzte Arztes
Ärztin f Ärztinnen Ärztin
Student m Studenten w; Studentin f Studentinnen Studentin; Musiker m Musiker Musikers
Koch m Köche Kochs
Musikerin f Musikerinnen Musikerin; Maler m Maler Malers; Malerin f Malerinnen Malerin
Köchin f Köchinnen Köchin
Schreiner m Schreiner Schreiners; Schreinerin f Schreinerinnen Schreinerin
Schneider m Schneider Schneiders
Schneiderin f Schneiderinnen Schneiderin; Matrose m Matrosen w
Schwester f Schwestern Schwester; Bruder m Brüder Bruders; Onkel m Onkel Onkels
Tante f Tanten Tante
Mutter f Mütter Mutter; Vater m Väter Vaters; Großmutter f Großmütter Großmutter
Großvater m Großväter Großvaters
Tochter f Töchter Tochter; Sohn m Söhne Sohnes
""".replace("\n", ";")

# Verbs: infinitive (a bar behind a separable prefix), present and past tense (third person
# singular), past participle; "sein" where the perfect takes it.
VERBS = """
schälen schält schälte geschält; backen backt backte gebacken; spülen spült spülte gespült
probieren probiert probierte probiert; schneiden schneidet schnitt geschnitten
decken deckt deckte gedeckt
kochen kocht kochte gekocht; trinken trinkt trank getrunken; essen isst aß gegessen
auf|machen macht machte gemacht
weg|räumen räumt räumte geräumt; pflanzen pflanzt pflanzte gepflanzt; gießen gießt goss gegossen
streichen streicht strich gestrichen; mähen mäht mähte gemäht; pflücken pflückt pflückte gepflückt
graben gräbt grub gegraben; füttern füttert fütterte gefüttert; lesen liest las gelesen
erklären erklärt erklärte erklärt; schreiben schreibt schrieb geschrieben
zeichnen zeichnet zeichnete gezeichnet
lernen lernt lernte gelernt; vergessen vergisst vergaß vergessen
korrigieren korrigiert korrigierte korrigiert
beantworten beantwortet beantwortete beantwortet; auf|hängen hängt hängte gehängt
kaufen kauft kaufte gekauft
verkaufen verkauft verkaufte verkauft; tragen trägt trug getragen; aus|suchen sucht suchte gesucht
zählen zählt zählte gezählt; wiegen wiegt wog gewogen; ein|packen packt packte gepackt
verpassen verpasst verpasste verpasst; ab|holen holt holte geholt; finden findet fand gefunden
verlieren verliert verlor verloren; reparieren repariert reparierte repariert
bauen baut baute gebaut
aus|leihen leiht lieh geliehen; schärfen schärft schärfte geschärft; putzen putzt putzte geputzt
fangen fängt fing gefangen; werfen wirft warf geworfen; beobachten beobachtet beobachtete beobachtet
fotografieren fotografiert fotografierte fotografiert; fest|binden bindet band gebunden
zurück|bringen bringt brachte gebracht; spielen spielt spielte gespielt
falten faltet faltete gefaltet
bügeln bügelt bügelte gebügelt; an|zünden zündet zündete gezündet
ab|schließen schließt schloss geschlossen
ein|schalten schaltet schaltete geschaltet; sitzen sitzt saß gesessen; singen singt sang gesungen
warten wartet wartete gewartet; arbeiten arbeitet arbeitete gearbeitet
schlafen schläft schlief geschlafen
stehen steht stand gestanden; schwimmen schwimmt schwamm geschwommen sein; geben gibt gab gegeben
zeigen zeigt zeigte gezeigt; schicken schickt schickte geschickt; bringen bringt brachte gebracht
leihen leiht lieh geliehen; schenken schenkt schenkte geschenkt; vor|lesen liest las gelesen
sagen sagt sagte gesagt; glauben glaubt glaubte geglaubt; wissen weiß wusste gewusst
hoffen hofft hoffte gehofft
hören hört hörte gehört; erzählen erzählt erzählte erzählt; versuchen versucht versuchte versucht
beginnen beginnt begann begonnen; versprechen verspricht versprach versprochen
an|fangen fängt fing gefangen
sein ist war gewesen sein; haben hat hatte gehabt; werden wird wurde geworden sein
können kann konnte gekonnt; müssen muss musste gemusst; wollen will wollte gewollt
treffen trifft traf getroffen; sehen sieht sah gesehen; entdecken entdeckt entdeckte entdeckt
gehören gehört gehörte gehört; kommen kommt kam gekommen sein; an|kommen kommt kam gekommen sein
bleiben bleibt blieb geblieben sein; auf|hören hört hörte gehört; läuten läutet läutete geläutet
enden endet endete geendet; duften duftet duftete geduftet; nehmen nimmt nahm genommen
liegen liegt lag gelegen; halten hält hielt gehalten; nähen näht nähte genäht
sammeln sammelt sammelte gesammelt
malen malt malte gemalt; hängen hängt hing gehangen
"""

# Transitive actions: verb | objects (+ plural, ! definite, ~ bare) | places as
# preposition:case:[article:]noun, where "-" stands for no article.
ACTIONS = {
    "kitchen": """
schälen|Kartoffel+ Apfel+ Birne+|in:d:Küche an:d:Tisch
backen|Kuchen Brot|für:a:Gast+ in:d:Küche
spülen|Teller+! Tasse+! Glas+! Topf!|in:d:Küche
probieren|Suppe! Soße! Kuchen!|in:d:Küche
schneiden|Brot! Kuchen! Zwiebel+!|mit:d:ein:Messer an:d:Tisch
decken|Tisch!|für:a:Gast+
kochen|Suppe Reis~ Kartoffel+|für:a:Gast+ auf:d:Herd
trinken|Tee~ Kaffee~ Milch~ Saft~|an:d:Fenster in:d:Küche
essen|Suppe! Apfel Kuchen! Kirsche+|an:d:Tisch in:d:Garten
auf|machen|Fenster! Flasche Tür!|in:d:Küche
weg|räumen|Teller+! Tasse+! Topf!|in:d:Küche""",
    "garden": """
pflanzen|Baum Rose+ Tomate+|hinter:d:Haus neben:d:Zaun
gießen|Blume+! Rose+! Tomate+!|in:d:Garten hinter:d:Haus
streichen|Zaun! Bank! Tür!|mit:d:ein:Pinsel
mähen|Rasen!|hinter:d:Haus
pflücken|Apfel+ Birne+ Kirsche+ Blume+|in:d:Garten
graben|Loch|neben:d:Zaun unter:d:Baum
füttern|Huhn+! Kaninchen+! Katze! Hund!|in:d:Hof hinter:d:Schuppen
schneiden|Hecke! Rose+!|neben:d:Zaun hinter:d:Haus""",
    "school": """
lesen|Buch Geschichte Gedicht|in:d:Bibliothek in:d:Klassenzimmer
erklären|Regel! Aufgabe!|in:d:Klassenzimmer
schreiben|Brief Satz+ Geschichte|an:d:Schreibtisch in:d:Bibliothek
zeichnen|Karte Bild Pferd|in:d:Klassenzimmer
lernen|Lied Gedicht|in:d:Schule
vergessen|Bleistift Buch Ball|in:d:Schule in:d:Klassenzimmer
korrigieren|Fehler+! Satz+!|an:d:Schreibtisch
beantworten|Frage+! Brief!|in:d:Klassenzimmer
auf|hängen|Karte Bild|in:d:Klassenzimmer in:d:Flur""",
    "market": """
kaufen|Brot Käse Apfel+ Lampe Korb Fisch|auf:d:Markt an:d:Stand
verkaufen|Ei+ Honig~ Blume+ Käse~|auf:d:Markt an:d:Ecke
tragen|Korb Kiste Tasche|über:a:Straße zu:d:Markt
aus|suchen|Tomate+ Blume+ Korb Käse|an:d:Stand
zählen|Münze+! Ei+!|an:d:Stand
wiegen|Kartoffel+! Tomate+! Fisch!|an:d:Stand
ein|packen|Käse! Fisch! Blume+!|an:d:Stand""",
    "station": """
verpassen|Zug! Bus!|an:d:Morgen
tragen|Koffer Tasche|zu:d:Bahnhof über:a:Bahnsteig
kaufen|Fahrkarte Zeitung Brot|an:d:Bahnhof
finden|Schlüssel Schirm Tasche|in:d:Zug an:d:Bahnhof
verlieren|Fahrkarte Schirm Handschuh+|in:d:Zug an:d:Bahnhof
lesen|Zeitung Roman Brief|in:d:Zug auf:d:Bahnsteig
ab|holen|Koffer! Paket! Großmutter!|an:d:Bahnhof""",
    "workshop": """
reparieren|Fahrrad Uhr Stuhl Radio Dach!|in:d:Werkstatt
bauen|Tisch Boot Regal|in:d:Werkstatt
aus|leihen|Hammer Leiter Pinsel|bei:d:Nachbarin
schärfen|Messer|in:d:Werkstatt
streichen|Stuhl Boot Regal|in:d:Hof hinter:d:Werkstatt
putzen|Pinsel+! Fenster! Boden!|in:d:Werkstatt
zurück|bringen|Hammer! Leiter!|an:d:Abend""",
    "lake": """
fangen|Fisch|in:d:See
werfen|Ball Stein+|in:a:See
beobachten|Ente+ Schwan+ Vogel+|auf:d:See von:d:Brücke
fotografieren|Schwan+ Brücke! Vogel+|von:d:Ufer
essen|Apfel Kirsche+ Brot|auf:d:Bank an:d:Ufer
fest|binden|Boot!|an:d:Brücke
zeichnen|Ente+ Brücke! Boot|an:d:Ufer""",
    "home": """
zurück|bringen|Buch+! Roman!|in:a:Bibliothek
aus|leihen|Buch Roman Karte|in:d:Bibliothek
lesen|Zeitung Brief Roman|an:d:Abend auf:d:Sofa
auf|hängen|Bild Uhr|in:d:Flur
spielen|Klavier~ Flöte~|für:a:Gast+ an:d:Abend
falten|Decke Hemd+|an:d:Abend
bügeln|Hemd+|in:d:Küche
an|zünden|Kerze|an:d:Abend in:d:Flur
ab|schließen|Tür!|an:d:Abend
ein|schalten|Lampe! Radio!|in:d:Küche in:d:Flur""",
}

# Intransitive actions of people.
ACTIVITIES = {
    "kitchen": "sitzen||an:d:Tisch neben:d:Herd\nsingen||in:d:Küche\nwarten||neben:d:Herd",
    "garden": "arbeiten||in:d:Garten hinter:d:Haus\nsitzen||unter:d:Baum auf:d:Bank",
    "school": "warten||in:d:Flur\nsingen||in:d:Klassenzimmer\narbeiten||in:d:Bibliothek",
    "market": "warten||an:d:Stand an:d:Ecke\narbeiten||auf:d:Markt",
    "station": "warten||auf:d:Bahnsteig an:d:Bahnhof\nschlafen||in:d:Zug\nstehen||auf:d:Bahnsteig",
    "workshop": "arbeiten||in:d:Werkstatt\nsingen||in:d:Werkstatt",
    "lake": "schwimmen||in:d:See\nsitzen||an:d:Ufer auf:d:Bank\nwarten||auf:d:Brücke",
    "home": "schlafen||auf:d:Sofa\nsitzen||an:d:Fenster in:d:Garten\narbeiten||an:d:Schreibtisch",
}

SCENE_PROFESSIONS = {
    "kitchen": "Koch Köchin Bäckerin Nachbar",
    "garden": "Gärtner Gärtnerin Nachbarin Bauer",
    "school": "Lehrer Lehrerin Student Studentin",
    "market": "Bauer Bäuerin Bäcker Köchin",
    "station": "Student Musikerin Ärztin Matrose",
    "workshop": "Schreiner Schreinerin Maler Nachbar",
    "lake": "Malerin Student Lehrerin Matrose",
    "home": "Nachbarin Arzt Musiker Nachbar",
}
KIN = (
    "Schwester", "Bruder", "Onkel", "Tante", "Mutter", "Vater", "Großmutter", "Großvater",
    "Tochter", "Sohn",
)  # fmt: skip
NAMES = {
    "Anna": "f", "Lena": "f", "Clara": "f", "Marie": "f", "Emma": "f", "Paula": "f",
    "Paul": "m", "Karl": "m", "Peter": "m", "Jakob": "m", "Martin": "m", "Anton": "m",
}  # fmt: skip
SURNAMES = ("Berger", "Weber", "Lang", "Winter", "Sommer", "Huber")
PERSON_ADJECTIVES = ("jung", "alt", "freundlich", "still", "fröhlich", "groß")
PERSON_STATES = ("müde", "glücklich", "hungrig", "neugierig", "nervös", "fröhlich")

# Gifts: verb | things.
GIFTS = """geben|Schlüssel Buch Apfel Korb
zeigen|Bild Karte Brief Garten!
schicken|Brief Bild Paket
bringen|Zeitung Suppe! Blume+ Decke
leihen|Leiter Schirm Fahrrad Hammer
schenken|Buch Uhr Blume+ Lampe
vor|lesen|Geschichte Gedicht Brief"""

# Things and how they can be.
STATES = """Suppe|kalt heiß fertig
Kuchen|fertig warm
Tür|offen
Fenster|offen schmutzig
Küche|warm sauber
Garten|schön
Zug|voll pünktlich
Bahnsteig|leer
Werkstatt|kalt
See|ruhig tief
Brücke|schmal
Zaun|kaputt neu
Geschichte|traurig lang
Frage|schwierig einfach
Koffer|schwer voll
Lampe|hell kaputt
Kirsche+|süß reif
Handschuh+|warm trocken
Hemd+|trocken sauber
Uhr|teuer kaputt"""

# What there is, where: verb | thing | places.
EXISTENCE = """stehen|Bank|unter:d:Baum neben:d:Brücke
liegen|Brief|auf:d:Tisch
stehen|Tasse+|auf:d:Tisch in:d:Regal
stehen|Korb|neben:d:Tür
sitzen|Vogel+|auf:d:Dach in:d:Baum
liegen|Boot|an:d:Ufer
liegen|Münze+|in:d:Glas in:d:Kiste
hängen|Karte|an:d:Wand
schwimmen|Ente+|auf:d:See
stehen|Kerze|auf:d:Tisch"""

# Things with a past: noun | verb | case (or preposition and case) and noun.
HISTORIES = """Lampe|gehören|d:ein:Matrose
Uhr|gehören|d:Arzt
Schlüssel|gehören|d:Nachbarin
Schirm|gehören|d:Lehrerin
Karte|zeigen|a:Dorf
Bild|zeigen|a:ein:Brücke
Bild|zeigen|a:ein:Pferd
Korb|duften|nach:d:-:Apfel+
Kiste|duften|nach:d:-:Honig
Glas|duften|nach:d:-:Kaffee
Buch|gehören|d:Bibliothek"""

# People and what they are known for: profession | verb | objects.
KNOWN_FOR = """Schreiner|bauen|Boot+~ Regal+~
Bäuerin|verkaufen|Honig~ Ei+~
Gärtnerin|pflanzen|Rose+~ Baum+~
Musiker|spielen|Flöte~ Klavier~
Malerin|malen|Brücke+~ Pferd+~
Matrose|schreiben|Gedicht+~ Lied+~
Student|zeichnen|Karte+~ Vogel+~
Ärztin|halten|Huhn+~ Kaninchen+~
Bäcker|backen|Kuchen+~ Brot+~
Schneiderin|nähen|Hemd+~ Decke+~
Lehrer|reparieren|Radio+~ Uhr+~
Nachbarin|sammeln|Münze+~ Uhr+~"""

# What happens by itself: thing | verb | scene, if not anywhere.
OCCASIONS = """Gast+|an|kommen
Regen|auf|hören
Unterricht|enden|school
Glocke|läuten"""

# An action and what explains it: verb | thing or place | the thing and its state.
REASONS = """bleiben|zu:d:-:Hause|Wetter schlecht
auf|machen|Fenster!|Küche warm
nehmen|Bus!|Fahrrad kaputt
an|zünden|Kerze|Lampe kaputt
kaufen|Brot|Gast+ hungrig
reparieren|Dach!|Werkstatt nass
tragen|Handschuh+|Morgen kalt
backen|Kuchen|Gast+ hungrig
verpassen|Zug!|Bus unpünktlich"""

# Nouns that a possessive pronoun suits.
OWNABLE_NOUNS = """
Buch Brief Fahrrad Schlüssel Schirm Koffer Tasche Korb Fahrkarte Bleistift Handschuh Hemd Decke
Hammer Leiter Boot Stuhl Lampe Radio Zaun Bank Hund Katze Kaninchen Huhn Suppe Geschichte
Gedicht Karte Bild Messer Frage Dach Haus Garten Zeitung Uhr Roman Großmutter
"""
OWNABLE = set(OWNABLE_NOUNS.split())
COLOURS = {"rot", "grün", "blau", "weiß", "schwarz", "gelb", "braun", "grau"}
INVOLUNTARY_VERBS = {"verpassen", "vergessen", "finden", "verlieren"}

# Verbs for what is done in a moment: one does not begin to do it.
MOMENTARY_VERBS = {"abholen", "zurückbringen", "ausleihen", "kaufen", "aufmachen", "abschließen",
                   "einschalten", "anzünden", "fangen"}  # fmt: skip

PAST_TIMES = ("gestern", "an:d:Montag", "an:d:Freitag", "letzt:Woche", "an:d:Abend")
HABITUAL_TIMES = ("jed:Morgen", "jed:Abend", "jed:Woche", "oft", "manchmal", "immer", "meistens")
FUTURE_TIMES = ("morgen", "nächst:Woche", "an:d:Samstag", "an:d:Sonntag")


@dataclass(frozen=True)
class Noun:
    """A noun: gender m, f or n; plural None for mass nouns."""

    lemma: str
    gender: str
    plural: str | None
    genitive: str
    weak: bool
    adjectives: tuple[str, ...]


@dataclass(frozen=True)
class Verb:
    """A verb's principal parts; the prefix is separable and not part of the finite forms."""

    prefix: str
    stem_infinitive: str
    present: str
    preterite: str
    participle: str
    auxiliary: str

    @property
    def infinitive(self) -> str:
        """The citation form."""
        return self.prefix + self.stem_infinitive


@dataclass(frozen=True)
class Action:
    """A verb with the things it may be done to and the places where."""

    verb: str
    objects: tuple[str, ...]
    places: tuple[str, ...]


def actions(scene: str) -> list[Action]:
    """The transitive actions of a scene."""
    return [_action(line) for line in ACTIONS[scene].strip().split("\n")]


def activities(scene: str) -> list[Action]:
    """The intransitive actions of a scene."""
    return [_action(line) for line in ACTIVITIES[scene].split("\n")]


def _action(line: str) -> Action:
    verb, objects, places = split_line(line)
    return Action(verb, tuple(objects.split()), tuple(places.split()))


def split_line(line: str) -> list[str]:
    """The columns of a line; the bar behind a separable prefix does not split."""
    columns: list[str] = []
    for column in line.split("|"):
        if columns and columns[-1] in PREFIXES:
            columns[-1] += column
        else:
            columns.append(column)
    return columns


def pairs(table: str) -> list[list[str]]:
    """The lines of a table, split at its bars."""
    return [split_line(line) for line in table.strip().split("\n")]


def _nouns() -> dict[str, Noun]:
    nouns = {}
    for entry in filter(str.strip, NOUNS.split(";")):
        lemma, gender, plural, genitive, *adjectives = entry.split()
        weak = genitive == "w"
        nouns[lemma] = Noun(lemma, gender, None if plural == "-" else plural,
                            plural if weak else genitive, weak, tuple(adjectives))  # fmt: skip
    return nouns


def _verbs() -> dict[str, Verb]:
    verbs = {}
    for entry in filter(str.strip, VERBS.strip().replace("\n", ";").split(";")):
        infinitive, present, preterite, participle, *auxiliary = entry.split()
        prefix, _, stem = infinitive.rpartition("|")
        verbs[prefix + stem] = Verb(prefix, stem, present, preterite, prefix + participle,
                                    auxiliary[0] if auxiliary else "haben")  # fmt: skip
    return verbs


NOUN = _nouns()
VERB = _verbs()
PREFIXES = {verb.prefix for verb in VERB.values() if verb.prefix}
