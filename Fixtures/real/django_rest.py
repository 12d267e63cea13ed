"""Django REST framework with django-filter over SQLite, as its own tutorial sets it up.

    django_rest.py [--page-size 100] [--limit-offset]
"""

import argparse
import os

import launching

parser = argparse.ArgumentParser()
parser.add_argument("--page-size", type=int, default=100)
parser.add_argument("--limit-offset", action="store_true", help="LimitOffsetPagination")
parser.add_argument("--fixed-pages", action="store_true", help="pages whose size nobody can ask for")
arguments = parser.parse_args()

place = launching.folder()
file = os.path.join(place.name, "cars.sqlite3")

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.configure(
    DEBUG=False,
    SECRET_KEY="only for tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django_filters", "rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": file,
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"}}},
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    },
)
django.setup()

from django.db import connection, models  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
import django_filters.rest_framework as filters  # noqa: E402
from rest_framework import pagination, routers, serializers, viewsets  # noqa: E402
from rest_framework.filters import OrderingFilter  # noqa: E402


class Car(models.Model):
    name = models.TextField(blank=True)
    milesPerGallon = models.FloatField(null=True)
    cylinders = models.IntegerField()
    displacement = models.FloatField()
    horsepower = models.IntegerField(null=True)
    weight = models.IntegerField()
    acceleration = models.FloatField()
    year = models.IntegerField()
    origin = models.TextField(blank=True)

    class Meta:
        app_label = "cars"
        db_table = "cars"
        ordering = ["id"]


class CarSerializer(serializers.ModelSerializer):
    class Meta:
        model = Car
        fields = "__all__"


lookups = ["exact", "lt", "lte", "gt", "gte", "in", "isnull"]
texts = lookups + ["startswith", "contains"]


class CarFilter(filters.FilterSet):
    class Meta:
        model = Car
        fields = {
            field.name: texts if isinstance(field, models.TextField) else lookups
            for field in Car._meta.fields
        }


class Pages(pagination.PageNumberPagination):
    page_size = arguments.page_size
    page_size_query_param = None if arguments.fixed_pages else "page_size"
    max_page_size = arguments.page_size


class Offsets(pagination.LimitOffsetPagination):
    default_limit = arguments.page_size
    max_limit = arguments.page_size


class CarViewSet(viewsets.ModelViewSet):
    queryset = Car.objects.all()
    serializer_class = CarSerializer
    filterset_class = CarFilter
    filter_backends = [filters.DjangoFilterBackend, OrderingFilter]
    ordering_fields = "__all__"
    pagination_class = Offsets if arguments.limit_offset else Pages


router = routers.DefaultRouter()
router.register("cars", CarViewSet)
urlpatterns = [path("", include(router.urls))]

with connection.schema_editor() as editor:
    editor.create_model(Car)
with connection.cursor() as cursor:
    cursor.execute("PRAGMA journal_mode=WAL")
connection.close()

launching.serve(get_wsgi_application(), place.cleanup, rows=launching.Table(file))
