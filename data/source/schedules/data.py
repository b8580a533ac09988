"""What only the schedules use: currencies by region, cities, tax rates. All of it is invented or rounded."""

from __future__ import annotations

CURRENCIES = {
    "na": ("USD", "CAD"),
    "emea": ("EUR", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "AED", "ZAR"),
    "apac": ("AUD", "NZD", "SGD", "JPY", "INR", "KRW", "HKD"),
    "latam": ("USD", "BRL", "MXN", "CLP", "COP"),
}

REGIONS = {"na": "North America", "emea": "EMEA", "apac": "APAC", "latam": "LATAM"}

WHOLE_UNITS = frozenset({"JPY", "KRW", "CLP", "COP", "INR", "SEK", "NOK", "DKK", "ZAR", "MXN"})

# (key in [prices], plan, months in one billing step, key of the smallest order in [seats])
PLANS = (
    ("sm_m", "Starter Monthly", 1, "min_starter"),
    ("tm_m", "Team Monthly", 1, "min_team"),
    ("ta", "Team Annual", 12, "min_team"),
    ("ba", "Business Annual", 12, "min_business"),
    ("em_m", "Enterprise Monthly", 1, "min_em"),
    ("ea", "Enterprise Annual", 12, "min_enterprise"),
    ("emy", "Enterprise Multi-Year", 12, "min_emy"),
    ("psa", "Public Sector Annual", 12, "min_psa"),
)

# section title -> "city lodging meals" in USD
CITIES = {
    "United States, East": "New York 340 92; Boston 298 86; Washington 276 84; Philadelphia 212 78; Atlanta 189 "
    "76; Miami 234 82; "
    "Orlando 178 72; Charlotte 172 70; Raleigh 158 68; Pittsburgh 164 68; Baltimore 168 70; Buffalo 142 62; "
    "Richmond 149 64; Hartford 146 64; Tampa 176 70; Portland (Maine) 171 70; Providence 174 70; Savannah 166 68",
    "United States, Central": "Chicago 246 84; Austin 221 78; Dallas 194 76; Houston 172 74; Minneapolis 176 74; "
    "Denver 218 80; Saint Louis 154 68; "
    "Kansas City 151 68; Nashville 228 78; New Orleans 184 76; Detroit 162 70; Cleveland 153 68; Columbus 152 66; "
    "Cincinnati 156 68; Indianapolis 158 68; Milwaukee 161 70; Omaha 139 62; San Antonio "
    "158 68; Salt Lake City 168 72; Memphis 144 64",
    "United States, West": "San Francisco 322 94; San Jose 284 88; Seattle 262 86; Los Angeles 248 84; San Diego "
    "226 80; Portland (Oregon) 188 76; "
    "Las Vegas 174 74; Phoenix 182 74; Sacramento 176 72; Oakland 206 80; Boise 158 66; "
    "Honolulu 281 92; Anchorage 214 86; "
    "Tucson 142 64; Reno 149 66; Albuquerque 138 62",
    "Canada": "Toronto 232 80; Vancouver 248 82; Montreal 204 78; Calgary 172 74; Ottawa 186 74; "
    "Edmonton 158 70; Quebec City 182 74; "
    "Winnipeg 146 66; Halifax 168 70; Victoria 192 74; Regina 138 62; Saskatoon 136 62",
    "Germany, Austria and Switzerland": "Berlin 186 62; Munich 224 66; Hamburg 192 62; "
    "Frankfurt 204 62; Cologne 178 60; "
    "Stuttgart 176 60; Dusseldorf 184 60; "
    "Leipzig 148 56; Nuremberg 152 56; Dresden 146 56; Vienna 188 64; Graz 142 56; Salzburg 172 60; Zurich 286 98; "
    "Geneva 294 100; Basel 252 92; Bern 232 88; Lausanne 244 90",
    "France and the Benelux": "Paris 268 78; Lyon 172 66; Marseille 158 62; Toulouse 154 62; Lille 152 60; Nice 186 "
    "66; Bordeaux 162 62; Nantes 146 58; "
    "Strasbourg 158 62; Amsterdam 236 76; Utrecht 176 66; Rotterdam 172 66; Eindhoven 152 62; The Hague 178 66; "
    "Brussels 192 72; Antwerp 158 66; Ghent 154 64; Luxembourg 206 78",
    "United Kingdom and Ireland": "London 282 88; Manchester 178 68; Edinburgh 204 72; Birmingham 158 64; Bristol 164 "
    "66; Leeds 148 62; Glasgow 156 64; "
    "Cambridge 186 68; Oxford 188 68; Cardiff 146 60; Belfast 152 62; Dublin 248 82; Cork 172 70; Galway 168 68",
    "Nordic countries": "Stockholm 204 78; Gothenburg 168 70; Malmo 154 66; Oslo 212 92; Bergen 188 86; "
    "Trondheim 172 82; Copenhagen 222 88; "
    "Aarhus 164 76; Helsinki 182 74; Tampere 148 64; Reykjavik 232 96",
    "Southern and Eastern Europe": "Madrid 182 64; Barcelona 196 66; Valencia 148 56; Bilbao 152 58; Lisbon 172 58; "
    "Porto 148 54; Rome 198 68; Milan 224 70; "
    "Turin 152 60; Bologna 158 60; Athens 164 58; Warsaw 148 52; Krakow 126 48; Gdansk "
    "124 46; Prague 152 52; Budapest 138 48; "
    "Bucharest 132 46; Sofia 118 42; Zagreb 124 46; Ljubljana 134 50; Vilnius 118 44; Riga 116 44; Tallinn 124 46",
    "Middle East and Africa": "Dubai 236 82; Abu Dhabi 212 78; Riyadh 244 80; Doha 206 78; Tel Aviv 262 86; "
    "Istanbul 158 54; Ankara 124 46; Cairo 132 46; "
    "Nairobi 168 56; Lagos 186 62; Johannesburg 142 48; Cape Town 158 50; Casablanca 138 50; Amman 144 54",
    "East and South-East Asia": (
        "Singapore 262 78; Tokyo 238 84; Osaka 192 76; Nagoya 162 70; Fukuoka 154 68; Seoul "
        "214 78; Busan 164 68; Hong Kong 248 82; "
        "Taipei 186 64; Bangkok 142 48; Kuala Lumpur 128 44; Jakarta 132 44; Manila 138 46; "
        "Ho Chi Minh City 124 42; Hanoi 122 42"
    ),
    "South Asia and Oceania": "Mumbai 168 46; Bengaluru 152 42; Delhi 162 44; Hyderabad 132 38; Chennai 128 38; "
    "Pune 124 36; Kolkata 118 36; Colombo 128 40; "
    "Sydney 236 84; Melbourne 218 80; Brisbane 194 76; Perth 188 78; Adelaide 168 70; "
    "Canberra 178 72; Auckland 192 74; "
    "Wellington 178 70; Christchurch 154 64",
    "Latin America": "Sao Paulo 172 54; Rio de Janeiro 184 56; Belo Horizonte 124 42; Brasilia 138 46; "
    "Curitiba 118 42; Mexico City 178 56; Monterrey 154 52; "
    "Guadalajara 142 48; Santiago 164 56; Bogota 142 46; Medellin 128 42; Lima 152 50; "
    "Buenos Aires 158 48; Montevideo 148 50; "
    "San Jose (Costa Rica) 146 52; Panama City 152 54",
}

# Cities whose rates change: section title -> (first edition, city, lodging, meals)
CITY_CHANGES = {
    "United States, East": (("2025-07-01", "New York", 356, 95), ("2026-07-01", "Miami", 248, 84)),
    "United States, West": (("2026-01-01", "San Francisco", 308, 92), ("2027-01-01", "Seattle", 274, 88)),
    "Germany, Austria and Switzerland": (("2026-07-01", "Munich", 238, 68),),
    "United Kingdom and Ireland": (("2026-01-01", "London", 296, 90), ("2027-01-01", "Dublin", 236, 80)),
    "East and South-East Asia": (("2025-07-01", "Tokyo", 252, 88),),
    "Latin America": (("2027-01-01", "Buenos Aires", 176, 52),),
}

# state -> "taxable rate threshold"
US_TAX = (
    "Alabama no 0 0; Arizona yes 5.6 100000; Arkansas no 0 0; California no 0 0; Colorado "
    "no 0 0; Connecticut yes 1.0 100000; "
    "Florida no 0 0; Georgia no 0 0; Hawaii yes 4.0 100000; Idaho no 0 0; Illinois no 0 "
    "0; Indiana no 0 0; Iowa yes 6.0 100000; "
    "Kansas no 0 0; Kentucky yes 6.0 100000; Louisiana yes 5.0 100000; Maine no 0 0; "
    "Maryland yes 6.0 100000; Massachusetts yes 6.25 100000; "
    "Michigan no 0 0; Minnesota no 0 0; Mississippi yes 7.0 250000; Missouri no 0 0; "
    "Nebraska no 0 0; Nevada no 0 0; New-Jersey no 0 0; "
    "New-Mexico yes 4.875 100000; New-York yes 4.0 500000; North-Carolina no 0 0; "
    "North-Dakota no 0 0; Ohio yes 5.75 100000; Oklahoma no 0 0; "
    "Pennsylvania yes 6.0 100000; Rhode-Island yes 7.0 100000; South-Carolina yes 6.0 "
    "100000; South-Dakota yes 4.2 100000; "
    "Tennessee yes 7.0 100000; Texas yes 6.25 500000; Utah yes 4.85 100000; Vermont no 0 "
    "0; Virginia no 0 0; Washington yes 6.5 100000; "
    "West-Virginia yes 6.0 100000; Wisconsin no 0 0; Wyoming no 0 0"
)

# country -> "tax rate registered"
EMEA_TAX = (
    "Austria VAT 20 no; Belgium VAT 21 no; Bulgaria VAT 20 no; Croatia VAT 25 no; Cyprus "
    "VAT 19 no; Czechia VAT 21 no; Denmark VAT 25 no; "
    "Estonia VAT 22 no; Finland VAT 25.5 no; France VAT 20 yes; Germany VAT 19 yes; "
    "Greece VAT 24 no; Hungary VAT 27 no; Ireland VAT 23 yes; "
    "Italy VAT 22 no; Latvia VAT 21 no; Lithuania VAT 21 no; Luxembourg VAT 17 no; Malta "
    "VAT 18 no; Netherlands VAT 21 yes; Poland VAT 23 no; "
    "Portugal VAT 23 no; Romania VAT 19 no; Slovakia VAT 23 no; Slovenia VAT 22 no; Spain "
    "VAT 21 yes; Sweden VAT 25 no; "
    "United-Kingdom VAT 20 yes; Switzerland VAT 8.1 yes; Norway VAT 25 yes; Israel VAT 18 "
    "no; Türkiye VAT 20 no; South-Africa VAT 15 yes; "
    "United-Arab-Emirates VAT 5 yes; Saudi-Arabia VAT 15 no; Kenya VAT 16 no"
)
APAC_TAX = (
    "Singapore GST 9 yes; Australia GST 10 yes; New-Zealand GST 15 yes; India GST 18 yes; "
    "Japan consumption-tax 10 yes; South-Korea VAT 10 no; "
    "Taiwan VAT 5 no; Thailand VAT 7 no; Malaysia service-tax 8 no; Indonesia VAT 11 no; "
    "Philippines VAT 12 no; Vietnam VAT 10 no; Hong-Kong none 0 no"
)
LATAM_TAX = (
    "Brazil ISS 2.9 yes; Mexico VAT 16 yes; Chile VAT 19 yes; Colombia VAT 19 yes; Peru "
    "VAT 18 no; Argentina VAT 21 no; Uruguay VAT 22 no; "
    "Costa-Rica VAT 13 no; Panama ITBMS 7 no; Ecuador VAT 15 no"
)
# country -> "statutory treaty"
WITHHOLDING = (
    "India 20 10; Brazil 15 15; Mexico 25 10; Chile 20 15; Colombia 20 10; Peru 30 15; "
    "Argentina 31.5 15; Indonesia 20 10; Philippines 25 15; "
    "Thailand 15 5; Vietnam 10 10; Malaysia 10 8; Türkiye 20 10; Kenya 20 15; Nigeria 10 "
    "7.5; South-Korea 22 15; Taiwan 20 10; Pakistan 15 10"
)
HIGH_INFLATION = ("Argentina", "Türkiye", "Nigeria", "Egypt", "Pakistan")
